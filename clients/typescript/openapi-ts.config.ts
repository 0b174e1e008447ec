import { defineConfig } from "@hey-api/openapi-ts";

// The types of the API, from the document that the server is held to. `npm run generate` writes them again.
export default defineConfig({
  input: "../../docs/reference/openapi.json",
  output: { path: "src/generated", importFileExtension: ".js" },
  plugins: ["@hey-api/typescript"],
});
