/** The daily budget of a Sponsored Display campaign whose item has none, in units of the currency, by country. */
// biome-ignore format: a table
export const displayDefaultBudgets: Readonly<Record<string, number>> = {
  AU: 100, BR: 150, CA: 100, DE: 100, EG: 500, ES: 100, FR: 100, IN: 1000, IT: 100, JP: 10_000, SA: 400, MX: 150,
  NL: 100, PL: 100, SE: 100, SG: 300, TR: 300, BE: 100, UK: 100, AE: 400, US: 100, ZA: 100,
}

export const campaignNameLength = { seller: 128, vendor: 116 }
