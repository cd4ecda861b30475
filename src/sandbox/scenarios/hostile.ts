import { tzOffset } from '@date-fns/tz'
import { dayIn } from '#shared/time.ts'
import type { Scenarios } from '../core/world.ts'
import { languageOf } from '../market/vocabulary.ts'
import { CampaignWriter } from './campaigns.ts'
import { addLogin, addProfile, DAY_MS, finish, openDraft, productsOf, type ScenarioDraft } from './scenario-draft.ts'
import { sellers } from './scenario-draft.ts'

const NEGATIVES = 10_000

/** Names that sellers really give, and some that only break programs. */
export const absurdNames: readonly string[] = [
  '<script>alert("campaign")</script>',
  "'; DROP TABLE campaigns; --",
  '=HYPERLINK("http://example.test","click")',
  '🧄🔥👨‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿 Knoblauch!!!',
  'مِعْصَرة الثوم – حملة ١',
  'מעיכת שום \u202Eהפוך\u202C 50%',
  'Z̸̢͓a̶l̵̙g̷o̴ ̶p̵r̷e̴s̵s̴',
  'null',
  '0',
  '   leading and trailing   ',
  'Straße İstanbul ﬁne ǅ ß',
  'e\u0301 is not \u00E9',
  'a'.repeat(128),
  'tab\tand “quotes” & <b>bold</b>\u00A0nbsp',
  '무선 마늘 다지기 · 蒜泥器 · ニンニク絞り',
]

const absurdTitles: readonly string[] = [
  'عصارة ثوم من الفولاذ المقاوم للصدأ – garlic press – شديدة التحمل',
  'כותש שום מקצועי 🧄 stainless steel garlic press',
  '🧄🧄🧄 BEST!!! Garlic Press 2026 ★★★★★ <img src=x onerror=alert(1)>',
  `Garlic Press ${'very long '.repeat(45)}`.slice(0, 500),
  '"Quoted", with; separators\tand | pipes',
  '\u200B\u200BZero\u200Bwidth garlic mincer',
]

function addNegatives(draft: ScenarioDraft, campaignId: string, profileId: number): void {
  const createdAt = draft.now.getTime() - 5 * DAY_MS
  for (let i = 0; i < NEGATIVES; i++) {
    const keywordId = draft.nextId()
    draft.store.negativeKeywords.set(keywordId, {
      keywordId,
      adGroupId: null,
      campaignId,
      profileId,
      keywordText: i === 0 ? 'electric' : `unwanted ${i.toString(36)} 🙅`,
      matchType: i % 2 === 0 ? 'NEGATIVE_PHRASE' : 'NEGATIVE_EXACT',
      state: 'ENABLED',
      createdAt,
      updatedAt: createdAt,
    })
  }
}

/** Whole days since the last night on which a place changed its clocks; 0 when it does not within a year. */
function daysSinceClockChange(now: Date, timezone: string): number {
  const offsetAt = (days: number): number => tzOffset(timezone, new Date(now.getTime() - days * DAY_MS))
  for (let days = 1; days < 366; days++) if (offsetAt(days) !== offsetAt(days - 1)) return days
  return 0
}

/**
 * One seller in a place with daylight saving, whose names, titles, prices and negatives are what programs do not
 * expect. Its figures reach back over the last night that had 23 or 25 hours.
 */
export const hostile: Scenarios[string] = ({ now, seed }) => {
  const draft = openDraft(now, seed)
  addLogin(draft, 'hostile@sandbox.test', '"><Ödön 👾', [sellers.oddfellow])
  const profile = addProfile(draft, sellers.oddfellow, 'UK', 2300000000000011, {
    brands: ['Łódź & Söhne™', '<Brand>'],
    categories: 3,
    perCategory: 6,
  })
  productsOf(draft, profile).forEach((product, i) => {
    const title = absurdTitles[i % absurdTitles.length] as string
    const priceMicros = i % 4 === 1 ? 0 : product.priceMicros
    const key = `${product.sellerId}|${product.marketplaceId}|${product.sku}`
    draft.store.products.set(key, { ...product, title, priceMicros })
  })
  const writer = new CampaignWriter(draft, profile)
  const { categories } = languageOf(profile.marketplaceId)
  const history = Math.max(98, daysSinceClockChange(now, profile.timezone) + 2)
  absurdNames.forEach((name, i) => {
    const category = categories[i % 3]
    if (!category) return
    const kind = (['Auto', 'Exact', 'Broad', 'Products'] as const)[i % 4] ?? 'Auto'
    const plan = { madeDaysAgo: history + 1 }
    const campaign = writer.add(category, productsOf(draft, profile, category.id), kind, plan)
    const endDate = i === 1 ? dayIn(now, profile.timezone) : campaign.endDate
    draft.store.campaigns.set(campaign.campaignId, { ...campaign, name, endDate })
    if (i === 0) addNegatives(draft, campaign.campaignId, profile.profileId)
  })
  return finish(draft, history)
}
