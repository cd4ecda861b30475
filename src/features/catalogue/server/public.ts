export { type CatalogueProgress, importCatalogue } from './import/import-catalogue.ts'
export { brandsOfProducts, type Product, productsByAsin } from './products-by-asin.ts'
export { type ProductCost, productCosts, unitEconomics } from './sql/product-costs.ts'
