import type * as ads from '#integrations/amazon-ads/index.ts'
import type { Mirrored } from '../sql/save-mirrored.ts'

/** What people read of a target: its products or groups by name. */
function targetText({ expression, resolvedExpression }: Pick<ads.Target, 'expression' | 'resolvedExpression'>): string {
  const shown = resolvedExpression.length ? resolvedExpression : expression
  return shown.map(part => (part.value === null ? part.type : `${part.type}: ${part.value}`)).join(', ')
}

/** The port's entities with their id under one name, and clauses of every kind in one form. */
export const mirrored = {
  campaigns: (c: ads.Campaign): Mirrored => ({ ...c, amazonId: c.campaignId }),
  adGroups: (g: ads.AdGroup): Mirrored => ({ ...g, amazonId: g.adGroupId }),
  productAds: (ad: ads.ProductAd): Mirrored => ({ ...ad, amazonId: ad.adId }),
  keywords: (k: ads.Keyword): Mirrored => ({ ...k, amazonId: k.keywordId, kind: 'KEYWORD', expression: null }),
  targets: (t: ads.Target): Mirrored => ({
    ...t,
    amazonId: t.targetId,
    kind: t.expressionType === 'AUTO' ? 'AUTO' : 'PRODUCT',
    text: targetText(t),
    matchType: null,
  }),
  negativeKeywords: (n: ads.NegativeKeyword): Mirrored => ({
    ...n,
    amazonId: n.keywordId,
    kind: 'KEYWORD',
    expression: null,
  }),
  negativeTargets: (n: ads.NegativeTarget): Mirrored => ({
    ...n,
    amazonId: n.targetId,
    kind: 'PRODUCT',
    text: targetText(n),
    matchType: null,
  }),
}
