import type { ReportType } from './report-type.ts'
import { sponsoredBrandsTypes } from './sponsored-brands.ts'
import { sponsoredDisplayTypes } from './sponsored-display.ts'
import { sponsoredProductsTypes } from './sponsored-products.ts'

/** Every kind of report there is, by reportTypeId. */
export const reportTypes: Readonly<Record<string, ReportType>> = {
  ...sponsoredProductsTypes,
  ...sponsoredBrandsTypes,
  ...sponsoredDisplayTypes,
}
