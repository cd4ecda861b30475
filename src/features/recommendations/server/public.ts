export {
  bidSubjectOf,
  knownCategoryIds,
  suggestAutoTargets,
  suggestBids,
  suggestBrands,
  suggestBudget,
  suggestCategories,
  suggestKeywords,
  suggestProducts,
} from './suggestions.ts'
