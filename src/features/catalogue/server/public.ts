export { type CostSpan, goodsCosts } from './costs/goods-costs.ts'
export { type CatalogueProgress, importCatalogue } from './import/import-catalogue.ts'
export { type ProductEvent, productEvents } from './product-events.ts'
export { brandsOfProducts, type Product, productFees, productsByAsin, unitEconomics } from './product-rows.ts'
