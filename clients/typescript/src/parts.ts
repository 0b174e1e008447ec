// The smaller parts of the API: catalogue, data sets, traces, labels, calibrations, keys.

import { encode } from "./encode.js";
import type * as api from "./generated/types.gen.js";
import { through } from "./pages.js";
import type { RequestOptions, Rows, Transport } from "./transport.js";
import type * as t from "./types.js";

type Query<D extends { query?: unknown }> = NonNullable<D["query"]>;

export function evaluatorsOf(transport: Transport) {
  return {
    /** All evaluators, in short. */
    list: (options?: RequestOptions): Promise<t.EvaluatorShown[]> =>
      transport.json<api.ListEvaluatorsData, t.EvaluatorShown[]>("GET", "/api/v1/evaluators", {}, options),

    /** One evaluator: its rule, inputs, options and example. */
    get: (id: string, options?: RequestOptions): Promise<t.EvaluatorPage> =>
      transport.json<api.GetEvaluatorData, t.EvaluatorPage>("GET", "/api/v1/evaluators/{id}", { path: { id } }, options),
  };
}

export function datasetsOf(transport: Transport) {
  const list = (query: Query<api.ListDatasetsData> = {}, options?: RequestOptions): Promise<t.DatasetPage> =>
    transport.json<api.ListDatasetsData, t.DatasetPage>("GET", "/api/v1/datasets", { query }, options);
  return {
    /** Make a data set without data. */
    create: (body: t.DatasetRequest, options?: RequestOptions): Promise<t.DatasetRecord> =>
      transport.json<api.CreateDatasetData, t.DatasetRecord>("POST", "/api/v1/datasets", { body }, options),

    /** The newest data sets; `before` leads to the next page. */
    list,

    /** All data sets, the newest first, a page at a time. */
    all: (query: Query<api.ListDatasetsData> = {}, options?: RequestOptions): AsyncGenerator<t.DatasetRecord> =>
      through(async (before?: string) => {
        const page = await list({ ...query, ...(before === undefined ? {} : { before }) }, options);
        return { items: page.datasets, next: page.before };
      }),

    /** One data set. */
    get: (id: string, options?: RequestOptions): Promise<t.DatasetRecord> =>
      transport.json<api.GetDatasetData, t.DatasetRecord>("GET", "/api/v1/datasets/{id}", { path: { id } }, options),

    /** Every version of a data set. */
    history: (id: string, options?: RequestOptions): Promise<t.VersionRecord[]> =>
      transport.json<api.DatasetHistoryData, t.VersionRecord[]>(
        "GET", "/api/v1/datasets/{id}/history", { path: { id } }, options,
      ),

    /** Upload rows as the next version. The ending of `filename` says what they are: rows.jsonl, rows.csv.gz. */
    upload: (id: string, rows: Rows, filename: string, options?: RequestOptions): Promise<t.VersionRecord> =>
      transport.upload<api.UploadDatasetData, t.VersionRecord>(
        "PUT", "/api/v1/datasets/{id}/data", { path: { id }, query: { filename } },
        { rows, media: "application/octet-stream" }, options,
      ),

    /** Remove a data set with all its versions; runs that were made of it stay. */
    delete: (id: string, options?: RequestOptions): Promise<void> =>
      transport.done<api.DeleteDatasetData>("DELETE", "/api/v1/datasets/{id}", { path: { id } }, options),
  };
}

export function tracesOf(transport: Transport) {
  const list = (query: Query<api.ListTracesData> = {}, options?: RequestOptions): Promise<t.TracePage> =>
    transport.json<api.ListTracesData, t.TracePage>("GET", "/api/v1/traces", { query }, options);
  return {
    /** Send spans as OTLP/JSON (an ExportTraceServiceRequest). Sent again, each span counts once. */
    export: (spans: object, options?: RequestOptions): Promise<t.Exported> =>
      transport.upload<api.ExportTracesData, t.Exported>(
        "POST", "/v1/traces", {}, { rows: encode(spans), media: "application/json" }, options,
      ),

    /** The newest traces; `before` leads to the next page. */
    list,

    /** All traces, the newest first, a page at a time. */
    all: (query: Query<api.ListTracesData> = {}, options?: RequestOptions): AsyncGenerator<t.TraceRecord> =>
      through(async (before?: string) => {
        const page = await list({ ...query, ...(before === undefined ? {} : { before }) }, options);
        return { items: page.traces, next: page.before };
      }),

    /** A trace, and its results once it was scored. */
    get: (id: string, options?: RequestOptions): Promise<t.Trace> =>
      transport.json<api.GetTraceData, t.Trace>("GET", "/api/v1/traces/{id}", { path: { id } }, options),

    /** Remove a trace with its spans. */
    delete: (id: string, options?: RequestOptions): Promise<void> =>
      transport.done<api.DeleteTraceData>("DELETE", "/api/v1/traces/{id}", { path: { id } }, options),

    /** A case that expects what this trace did: a line for a golden file. */
    golden: (id: string, options?: RequestOptions): Promise<t.GoldenCase> =>
      transport.json<api.TraceGoldenData, t.GoldenCase>("GET", "/api/v1/traces/{id}/golden", { path: { id } }, options),
  };
}

export function labelsOf(transport: Transport) {
  const list = (query: Query<api.ListLabelsData> = {}, options?: RequestOptions): Promise<t.LabelPage> =>
    transport.json<api.ListLabelsData, t.LabelPage>("GET", "/api/v1/labels", { query }, options);
  return {
    /** Say whether two calls mean the same. */
    create: (body: t.LabelRequest, options?: RequestOptions): Promise<t.LabelRecord> =>
      transport.json<api.CreateLabelData, t.LabelRecord>("POST", "/api/v1/labels", { body }, options),

    /** The newest labels; `before` leads to the next page. */
    list,

    /** All labels, the newest first, a page at a time. */
    all: (query: Query<api.ListLabelsData> = {}, options?: RequestOptions): AsyncGenerator<t.LabelRecord> =>
      through(async (before?: string) => {
        const page = await list({ ...query, ...(before === undefined ? {} : { before }) }, options);
        return { items: page.labels, next: page.before };
      }),
  };
}

export function calibrationsOf(transport: Transport) {
  return {
    /** Ask a judge about the stored labels, and fit what its probabilities are worth. */
    create: (body: t.CalibrationRequest = {}, options?: RequestOptions): Promise<t.CalibrationRecord> =>
      transport.json<api.CreateCalibrationData, t.CalibrationRecord>("POST", "/api/v1/calibrations", { body }, options),

    /** The newest calibrations. */
    list: (query: Query<api.ListCalibrationsData> = {}, options?: RequestOptions): Promise<t.CalibrationRecord[]> =>
      transport.json<api.ListCalibrationsData, t.CalibrationRecord[]>("GET", "/api/v1/calibrations", { query }, options),

    /** One calibration. */
    get: (id: string, options?: RequestOptions): Promise<t.CalibrationRecord> =>
      transport.json<api.GetCalibrationData, t.CalibrationRecord>(
        "GET", "/api/v1/calibrations/{id}", { path: { id } }, options,
      ),
  };
}

export function keysOf(transport: Transport) {
  return {
    /** Make a key. Its secret is in this answer and nowhere else. */
    create: (body: t.KeyRequest, options?: RequestOptions): Promise<t.KeyMade> =>
      transport.json<api.CreateKeyData, t.KeyMade>("POST", "/api/v1/keys", { body }, options),

    /** All keys, without their secrets. */
    list: (options?: RequestOptions): Promise<t.KeyRecord[]> =>
      transport.json<api.ListKeysData, t.KeyRecord[]>("GET", "/api/v1/keys", {}, options),

    /** End a key. */
    revoke: (id: string, options?: RequestOptions): Promise<t.KeyRecord> =>
      transport.json<api.RevokeKeyData, t.KeyRecord>("DELETE", "/api/v1/keys/{id}", { path: { id } }, options),
  };
}
