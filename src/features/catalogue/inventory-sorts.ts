/** What the list of products can be ordered by. Apart from the contract, because the route needs it on every first visit. */
export const inventorySorts = ['title', 'price', 'available', 'cover', 'cogs', 'rank'] as const
export type InventorySort = (typeof inventorySorts)[number]
