export {
  knownCategoryIds,
  suggestAutoTargets,
  suggestBrands,
  suggestCategories,
  suggestKeywords,
  suggestProducts,
} from './suggestions.ts'
