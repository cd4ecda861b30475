import * as v from 'valibot'
import type { Db } from '#server/db/tables.ts'
import type { StepName } from '../../contract.ts'
import { normalTerm } from '../../chosen-terms.ts'
import { itemsOf, type JournalItem, recordItems } from '../sql/items.ts'
import type { LaunchKey } from '../sql/launch-key.ts'
import { rejected, skipped } from '../steps/placed-items.ts'

/**
 * Negatives whose term no campaign buys, because its keyword failed: they would exclude the term everywhere. What the
 * user excludes (`own`, normal terms) stays excluded.
 */
function negativesWithoutKeyword(items: readonly JournalItem[], own: ReadonlySet<string>): JournalItem[] {
  const termsOf = (isCreated: boolean) =>
    new Set(
      items.flatMap(i =>
        i.content.kind === 'KEYWORD' && (i.state === 'CREATED') === isCreated ? [normalTerm(i.content.text)] : [],
      ),
    )
  const [bought, failed] = [termsOf(true), termsOf(false)]
  return items.filter(i => {
    if (i.content.kind !== 'NEGATIVE_KEYWORD' || i.content.matchType || i.state !== 'PLANNED') return false
    const term = normalTerm(i.content.text)
    return failed.has(term) && !bought.has(term) && !own.has(term)
  })
}

// Without one of these a campaign would run differently from what was confirmed; a keyword less only reaches less. An
// automatic target is there also when its bid was rejected, and would buy at the ad group's default bid.
const essential: readonly StepName[] = ['CAMPAIGNS', 'AD_GROUPS', 'PRODUCT_ADS', 'AUTO_TARGETS', 'NEGATIVE_KEYWORDS']

/** Whether the launch must stay paused: something essential failed, or an ad group came out with nothing to target. */
export function isHalf(items: readonly JournalItem[]): boolean {
  if (items.some(i => essential.includes(i.step) && (i.state === 'FAILED' || i.reason === 'PARENT_MISSING')))
    return true
  const targeting = items.filter(i => i.step === 'KEYWORDS' || i.step === 'PRODUCT_TARGETS')
  const groups = new Set(targeting.map(i => i.parentKey))
  return [...groups].some(group => !targeting.some(i => i.parentKey === group && i.state === 'CREATED'))
}

// Only this part of the payload: a waiting launch may be older than today's rules.
const withNegatives = v.object({ negativeKeywords: v.optional(v.array(v.object({ keyword: v.string() })), []) })

/** Leaves out the negatives of keywords that failed, but for those of the payload itself. */
export async function skipNegatives(tx: Db, key: LaunchKey, payload: unknown): Promise<void> {
  const items = await itemsOf(tx, key, ['KEYWORDS', 'NEGATIVE_KEYWORDS'])
  const own = new Set(v.parse(withNegatives, payload).negativeKeywords.map(n => normalTerm(n.keyword)))
  await recordItems(
    tx,
    key,
    negativesWithoutKeyword(items, own).map(i => skipped(i, 'KEYWORD_FAILED')),
  )
}

/** Keeps half a launch paused. */
export async function holdBack(tx: Db, key: LaunchKey): Promise<void> {
  const items = await itemsOf(tx, key)
  if (!isHalf(items)) return
  const waiting = items.filter(i => i.step === 'ENABLE' && i.state === 'PLANNED')
  await recordItems(
    tx,
    key,
    waiting.map(i => rejected(i, 'HELD_BACK')),
  )
}
