export { type CatalogueProgress, importCatalogue } from './import/import-catalogue.ts'
export {
  brandsOfProducts,
  type Product,
  type ProductCost,
  productCosts,
  productsByAsin,
  unitEconomics,
} from './product-rows.ts'
