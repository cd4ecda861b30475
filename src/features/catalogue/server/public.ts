export { costSpans, goodsCosts, type SoldAtCost, soldAtCost, unitFees } from './costs/goods-costs.ts'
export { type CatalogueProgress, importCatalogue } from './import/import-catalogue.ts'
export { type ProductEvent, productEvents } from './product-events.ts'
export { brandsOfProducts, type Product, productsByAsin, unitEconomics } from './product-rows.ts'
