/** The steps of every launch in their order; one with nothing to do is SKIPPED. */
export const stepNames = [
  'RECOMMENDATIONS',
  'CAMPAIGNS',
  'AD_GROUPS',
  'PRODUCT_ADS',
  'KEYWORDS',
  'AUTO_TARGETS',
  'PRODUCT_TARGETS',
  'NEGATIVE_KEYWORDS',
  'ENABLE',
  'SAVE',
] as const
export type StepName = (typeof stepNames)[number]
