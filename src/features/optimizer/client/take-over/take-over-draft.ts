import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { sessionUser } from '#client/api/session/session.ts'
import { parseJson } from '#client/api/session/token-claims.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { changeKinds, strategies, type TakeoverCheck } from '../../contract.ts'
import type { SettingValues } from '../settings-fields.tsx'

const amount = v.nullable(v.number())
/** What the user chose so far; settings that were not touched follow what fits the campaigns. */
const draftSchema = v.object({
  campaignIds: v.array(v.number()),
  settings: v.partial(
    v.object({
      name: v.string(),
      targetAcos: amount,
      strategy: v.picklist(strategies),
      dailyBudget: amount,
      highestBid: amount,
      launchUntil: v.string(),
      launchBudget: amount,
      untouched: v.string(),
      asks: v.array(v.picklist(changeKinds)),
    }),
  ),
})
export type TakeOverDraft = v.InferOutput<typeof draftSchema>

const nothing: TakeOverDraft = { campaignIds: [], settings: {} }

// Under the prefix of drafts, which outlives an expired session and goes with a log-out.
const keyOf = (shop: Shop): string => `tideline.draft.${sessionUser() ?? ''}.take-over.${shopText(shop)}`

function stored(shop: Shop): TakeOverDraft | null {
  try {
    const parsed = v.safeParse(draftSchema, parseJson(localStorage.getItem(keyOf(shop))))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

function store(shop: Shop, draft: TakeOverDraft | null): void {
  try {
    if (draft) localStorage.setItem(keyOf(shop), JSON.stringify(draft))
    else localStorage.removeItem(keyOf(shop))
  } catch {
    // Without room on the device the draft lasts as long as the page.
  }
}

const sameIds = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every(id => b.includes(id))

/**
 * What is being taken over, saved on the device at each change. Campaigns that were `selected` elsewhere begin a new one,
 * unless the draft is about just these.
 */
export function useTakeOverDraft(shop: Shop, selected: readonly number[]) {
  const [{ initial, isResumed }] = useState(() => {
    const draft = stored(shop)
    const isSame = draft !== null && (selected.length === 0 || sameIds(selected, draft.campaignIds))
    return { initial: isSame ? draft : { ...nothing, campaignIds: [...selected] }, isResumed: isSame }
  })
  const [draft, setDraft] = useState(initial)
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    const isEmpty = draft.campaignIds.length === 0 && Object.keys(draft.settings).length === 0
    store(shop, isDone || isEmpty ? null : draft)
  }, [shop, draft, isDone])
  return {
    draft,
    isResumed,
    choose: (campaignIds: readonly number[]): void =>
      setDraft(previous => ({ ...previous, campaignIds: [...campaignIds] })),
    set: (change: Partial<SettingValues>): void =>
      setDraft(previous => ({
        ...previous,
        settings: { ...previous.settings, ...(change as TakeOverDraft['settings']) },
      })),
    startOver: (): void => setDraft(nothing),
    /** After it was sent: nothing is offered again. */
    finish: (): void => setDone(true),
  }
}

/** What a new group asks about, for its first 14 days. */
export const usualAsks: SettingValues['asks'] = ['budget', 'negative', 'harvest']

/** The settings as they are: what was chosen, and what fits the campaigns for the rest. */
export function effectiveSettings({ settings }: TakeOverDraft, check: TakeoverCheck | undefined): SettingValues {
  const first = check?.campaigns.find(({ problem }) => problem === null)
  return {
    name: first?.name.slice(0, 100) ?? '',
    targetAcos: check?.targetAcos ?? null,
    strategy: check?.strategy ?? 'REACH',
    dailyBudget: check?.dailyBudget ?? null,
    highestBid: null,
    launchUntil: '',
    launchBudget: null,
    untouched: '',
    asks: usualAsks,
    ...(settings as Partial<SettingValues>),
  }
}
