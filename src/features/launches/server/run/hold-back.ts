import * as v from 'valibot'
import type { Db } from '#server/db/tables.ts'
import { normalTerm } from '../../chosen-terms.ts'
import type { StepName } from '../../contract.ts'
import { itemsOf, type JournalItem, notMade, recordItems } from '../sql/items.ts'
import type { LaunchKey } from '../sql/launches.ts'

// Only this part of the payload: a waiting launch may be older than today's rules.
const withNegatives = v.object({ negativeKeywords: v.optional(v.array(v.object({ keyword: v.string() })), []) })

/**
 * Leaves out negatives whose term no campaign buys, because its keyword failed: they would exclude the term everywhere. What the
 * payload itself excludes stays excluded.
 */
export async function skipNegatives(tx: Db, key: LaunchKey, payload: unknown): Promise<void> {
  const items = await itemsOf(tx, key)
  const own = new Set(v.parse(withNegatives, payload).negativeKeywords.map(n => normalTerm(n.keyword)))
  const termsOf = (isCreated: boolean) =>
    new Set(
      items.flatMap(({ content, state }) =>
        content.kind === 'KEYWORD' && (state === 'CREATED') === isCreated ? [normalTerm(content.text)] : [],
      ),
    )
  const [bought, failed] = [termsOf(true), termsOf(false)]
  const needless = items.filter(({ content, state }) => {
    if (content.kind !== 'NEGATIVE_KEYWORD' || content.matchType || state !== 'PLANNED') return false
    const term = normalTerm(content.text)
    return failed.has(term) && !bought.has(term) && !own.has(term)
  })
  const changes = needless.map(i => notMade(i, 'SKIPPED', 'KEYWORD_FAILED'))
  await recordItems(tx, key, changes)
}

// Without one of these a campaign would run differently from what was confirmed; a keyword less only reaches less. An
// automatic target is there also when its bid was rejected, and would buy at the ad group's default bid.
const essential: readonly StepName[] = ['CAMPAIGNS', 'AD_GROUPS', 'PRODUCT_ADS', 'AUTO_TARGETS', 'NEGATIVE_KEYWORDS']

/** Whether the launch must stay paused: something essential failed, or an ad group came out with nothing to target. */
function isHalf(items: readonly JournalItem[]): boolean {
  if (items.some(i => essential.includes(i.step) && (i.state === 'FAILED' || i.reason === 'PARENT_MISSING')))
    return true
  const targeting = items.filter(i => i.step === 'KEYWORDS' || i.step === 'PRODUCT_TARGETS')
  const reached = new Set(targeting.flatMap(i => (i.state === 'CREATED' ? i.parentKey : [])))
  return targeting.some(i => !reached.has(i.parentKey))
}

/** Keeps half a launch paused. */
export async function holdBack(tx: Db, key: LaunchKey): Promise<void> {
  const items = await itemsOf(tx, key)
  const waiting = items.filter(i => i.step === 'ENABLE' && i.state === 'PLANNED')
  const changes = waiting.map(i => notMade(i, 'FAILED', 'HELD_BACK'))
  if (isHalf(items)) await recordItems(tx, key, changes)
}
