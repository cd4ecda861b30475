/** The nine structures of the wizard. */
export const templates = [
  'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
  'SINGLE_PRODUCT_AD_GROUP_FUNNEL',
  'MULTI_PRODUCT_AD_GROUP_FUNNEL',
  'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
  'SINGLE_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
  'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
  'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN',
  'SINGLE_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN',
  'MULTI_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN',
] as const
export type Template = (typeof templates)[number]

export interface TemplateFacts {
  family: 'FUNNEL' | 'KEYWORD' | 'TARGET'
  multiProduct: boolean
  /** True where one campaign holds an ad group for each type, in place of a campaign each. */
  byAdGroup: boolean
}

/** What a template's name says about it. */
export const factsOfTemplate = (template: Template): TemplateFacts => ({
  family: template.endsWith('FUNNEL') ? 'FUNNEL' : template.endsWith('KEYWORD_CAMPAIGN') ? 'KEYWORD' : 'TARGET',
  multiProduct: template.startsWith('MULTI_PRODUCT'),
  byAdGroup: template.includes('AD_GROUP'),
})

/** More products than this in a multi-product template are not recommended. */
export const RECOMMENDED_MAX_PRODUCTS = 10
