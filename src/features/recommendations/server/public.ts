export {
  knownCategoryIds,
  suggestAutoBids,
  suggestBrands,
  suggestCategories,
  type SuggestedAutoBid,
  type SuggestedCategory,
  type SuggestedKeyword,
  type SuggestedTheme,
  suggestKeywords,
  suggestProducts,
} from './suggestions.ts'
