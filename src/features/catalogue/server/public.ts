export { costSpans, goodsCosts, type SoldAtCost, soldAtCost, unitFees } from './costs/goods-costs.ts'
export { type CatalogueProgress, importCatalogue } from './import/import-catalogue.ts'
export { allowedPicture } from './inventory.ts'
export { type ProductEvent, productEvents } from './product-events.ts'
export {
  brandsOfProducts,
  matchesText,
  type Product,
  productsByAsin,
  stockByAsin,
  unitEconomics,
} from './product-rows.ts'
export { coverOf, joinPace, type Pace, salesPace } from './sales-pace.ts'
