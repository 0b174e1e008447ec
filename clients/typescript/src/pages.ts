// Lists come a page at a time; whoever wants them all goes through them one by one, and asks for no more than is read.

/** Everything of a list, page after page. `next` is what leads on, and null at the end. */
export async function* through<Item, Place>(
  page: (place: Place | undefined) => Promise<{ items: readonly Item[]; next: Place | null }>,
): AsyncGenerator<Item, void, undefined> {
  let place: Place | undefined;
  for (;;) {
    const { items, next } = await page(place);
    yield* items;
    if (next === null) return;
    place = next;
  }
}
