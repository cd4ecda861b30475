import type { EligibilityStatus, InventoryProduct } from '../contract.ts'

/** What a product is called: its title, else its ASIN, else its SKU. */
export const nameOf = ({ title, asin, sku }: Pick<InventoryProduct, 'title' | 'asin' | 'sku'>): string =>
  title?.trim() || asin || sku

const shortLength = 60

/** A text of at most 60 characters, cut between whole characters. */
export const shortened = (text: string): string => {
  const kept: string[] = []
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (kept.length === shortLength) return `${kept.slice(0, -1).join('').trimEnd()}…`
    kept.push(segment)
  }
  return text
}

/** A code of the marketplace in words: IN_STOCK is In stock, new_new is New. */
export const spoken = (code: string): string => {
  const words = code
    .trim()
    .toLowerCase()
    .split(/[_\s]+/)
  const text = words.filter((word, index) => word !== words[index - 1]).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const notTold = (what: string) => `Not known: ${what}.`

/** Why a figure or a text of a product is not known. */
export const unknownBecause = {
  customerPrice: notTold('the listing has no price'),
  stock: notTold('the marketplace told no such stock of this SKU'),
  bestSellerRank: notTold('the catalogue gives it no rank'),
  cogs: notTold('enter what a piece costs you'),
  text: notTold('the marketplace did not tell'),
} as const

interface EligibilityWords {
  label: string
  tone: 'good' | 'accent' | 'danger' | 'plain'
  /** Said when the marketplace gave no reason of its own. */
  reason: string | null
}
const notAsked: EligibilityWords = {
  label: 'Eligibility not known',
  tone: 'plain',
  reason: 'The marketplace gave no answer for this product yet.',
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

/** Whether a product may be advertised, and why not; the marketplace's own reason goes first. */
export const eligibilityWords = ({
  spEligibilityStatus: status,
  spEligibilityMessage: message,
}: Pick<InventoryProduct, 'spEligibilityStatus' | 'spEligibilityMessage'>): EligibilityWords => {
  const words = status === null ? notAsked : eligibility[status]
  return { ...words, reason: message?.trim() || words.reason }
}
