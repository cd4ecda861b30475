/**
 * The European Central Bank's reference rates of one day, in units of the currency for one euro. AED and SAR are not
 * published there; theirs follow from their fixed rates to the dollar (3.6725 and 3.75). EGP has no source and is left
 * out: what cannot be converted is not known. A deployment may replace the table by a newer one.
 */
export const exchangeRates: { day: string; perEuro: Readonly<Record<string, number>> } = {
  day: '2024-12-31',
  perEuro: {
    EUR: 1,
    USD: 1.0389,
    JPY: 163.06,
    GBP: 0.82918,
    SEK: 11.459,
    PLN: 4.275,
    TRY: 36.7372,
    AUD: 1.6772,
    BRL: 6.4253,
    CAD: 1.4948,
    INR: 88.9335,
    MXN: 21.5504,
    SGD: 1.4164,
    ZAR: 19.6188,
    AED: 1.0389 * 3.6725,
    SAR: 1.0389 * 3.75,
  },
}

/** Converts an amount (any unit) by the table; null when one of the currencies is not in it. */
export const convert = (amount: number, from: string, to: string): number | null => {
  if (from === to) return amount
  const source = exchangeRates.perEuro[from]
  const target = exchangeRates.perEuro[to]
  return source === undefined || target === undefined ? null : (amount / source) * target
}
