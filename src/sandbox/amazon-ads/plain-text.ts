/** Any JSON value as text: a string as it is, anything else as JSON; nothing is empty. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
