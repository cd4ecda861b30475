export {
  knownCategoryIds,
  suggestAutoTargets,
  suggestBid,
  suggestBrands,
  suggestCategories,
  suggestKeywords,
  suggestProducts,
} from './suggestions.ts'
