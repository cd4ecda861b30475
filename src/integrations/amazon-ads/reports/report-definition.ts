export type AdProduct = 'SPONSORED_PRODUCTS' | 'SPONSORED_BRANDS' | 'SPONSORED_DISPLAY'

export interface ReportDefinition {
  adProduct: AdProduct
  reportTypeId: string
  groupBy: readonly string[]
  columns: readonly string[]
}
