export {
  knownCategoryIds,
  suggestAutoTargets,
  suggestBids,
  suggestBrands,
  suggestCategories,
  suggestKeywords,
  suggestProducts,
} from './suggestions.ts'
