import { lazy } from 'react'

export type { BulkAction } from './bulk/bulk-actions.ts'
export { AccountNeeds } from './detail/account-needs.tsx'
export { matchWords } from './form/field-labels.ts'
export { draftOf, negativeKind } from './negatives/negative-drafts.ts'
export { useNegatives } from './negatives/use-negatives.ts'

export { type TermsFilter, termQueries } from './search-terms/queries.ts'

// On demand: few visits need them.
export const BulkSheet = /* @__PURE__ */ lazy(() =>
  import('./bulk/bulk-sheet.tsx').then(m => ({ default: m.BulkSheet })),
)
export const TermsPanel = /* @__PURE__ */ lazy(() =>
  import('./search-terms/terms-panel.tsx').then(m => ({ default: m.TermsPanel })),
)
export const HarvestSheet = /* @__PURE__ */ lazy(() =>
  import('./search-terms/harvest-sheet.tsx').then(m => ({ default: m.HarvestSheet })),
)
export const AddNegativesSheet = /* @__PURE__ */ lazy(() =>
  import('./negatives/add-sheet.tsx').then(m => ({ default: m.AddNegativesSheet })),
)
