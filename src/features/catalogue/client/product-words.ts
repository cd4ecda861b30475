import type { EligibilityStatus, InventoryProduct } from '../contract.ts'

/** What a product is called: its title, else its ASIN, else its SKU. */
export const nameOf = ({ title, asin, sku }: Pick<InventoryProduct, 'title' | 'asin' | 'sku'>): string =>
  title?.trim() || asin || sku

const shortLength = 60

/** A text of at most 60 characters, cut between whole characters. */
export function shortened(text: string): string {
  const lines: string[] = []
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (lines.length === shortLength) return `${lines.slice(0, -1).join('').trimEnd()}…`
    lines.push(segment)
  }
  return text
}

/** A code of the marketplace in words: IN_STOCK is In stock, new_new is New. */
export function spoken(code: string): string {
  const words = code
    .trim()
    .toLowerCase()
    .split(/[_\s]+/)
  const text = words.filter((word, index) => word !== words[index - 1]).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const notKnown = (what: string) => `Not known: ${what}.`

export const unknownBecause = {
  customerPrice: notKnown('the listing has no price'),
  stock: notKnown('the marketplace reports no such stock for this SKU'),
  bestSellerRank: notKnown('the catalogue gives it no rank'),
  cogs: notKnown('enter what one unit costs you'),
  coverDays: notKnown('its stock is not known, or none was sold in 14 days'),
  text: notKnown('the marketplace did not report it'),
} as const

interface EligibilityWords {
  label: string
  tone: 'good' | 'accent' | 'danger' | 'plain'
  /** Shown when the marketplace gave no reason. */
  reason: string | null
}
const noAnswer: EligibilityWords = {
  label: 'Eligibility not known',
  tone: 'plain',
  reason: 'The marketplace has not answered for this product yet.',
}
const eligibility: Record<EligibilityStatus, EligibilityWords> = {
  ELIGIBLE: { label: 'Eligible', tone: 'good', reason: null },
  ELIGIBLE_WITH_WARNING: {
    label: 'Eligible with a warning',
    tone: 'accent',
    reason: 'The marketplace gave no reason for the warning.',
  },
  INELIGIBLE: {
    label: 'Not eligible',
    tone: 'danger',
    reason: 'This product is not eligible for Sponsored Products campaigns.',
  },
}

/** Whether a product may be advertised, and why not; the marketplace's reason comes first. */
export function eligibilityWords({
  spEligibilityStatus: status,
  spEligibilityMessage: message,
}: Pick<InventoryProduct, 'spEligibilityStatus' | 'spEligibilityMessage'>): EligibilityWords {
  const words = status === null ? noAnswer : eligibility[status]
  return { ...words, reason: message?.trim() || words.reason }
}
