import { type ChangeOutside, changesOutside } from '#features/structure/server/public.ts'
import { entities } from '#features/structure/contract.ts'
import type { Services } from '#server/context.ts'
import { type ReaderText, text } from '#shared/reader-text.ts'
import { accountDraft, applyToAccount } from './account-alerts.ts'
import type { Tested } from './apply-alerts.ts'
import { alertRows } from './apply-alerts.ts'

const HOUR_MS = 3_600_000
/** Nobody needs to decide about an older change. */
const OPEN_HOURS = 72
const SHOWN_LINES = 5
/** A rename costs nothing. */
const harmless = new Set(['name', 'portfolioId', 'tags'])

interface Account {
  merchantId: number
  profileId: number
  currency: string
}

/** Raises an alert for each managed campaign that somebody changed at the marketplace itself since a moment. */
export async function announceChangesOutside(services: Services, account: Account, since: Date): Promise<void> {
  const { merchantId, profileId, currency } = account
  const found = await services.db.reading(merchantId, tx => changesOutside(tx, account, since))
  const changes = found.filter(({ field }) => !harmless.has(field))
  const byCampaign = Map.groupBy(changes, change => change.campaignId)
  const causes = [...byCampaign.keys()].map(campaignId => `changed-${campaignId}`)
  const before = await alertRows(
    services.db.system,
    causes.map(cause => ({ merchantId, cause })),
    services.clock.now(),
  )
  for (const [campaignId, ofCampaign] of byCampaign) {
    const [newest] = ofCampaign
    const cause = `changed-${campaignId}`
    // The same changes are read again by the next synchronizations.
    if (!newest || before.some(row => row.cause === cause && row.occasion === newest.groupId)) continue
    const drafts = [changeDraft(ofCampaign, newest, { cause, currency })]
    await applyToAccount(services, { merchantId, profileId, currency, causes: [], drafts, happenedAt: newest.at })
  }
}

function changeDraft(
  changes: readonly ChangeOutside[],
  newest: ChangeOutside,
  { cause, currency }: { cause: string; currency: string },
): Tested['drafts'][number] {
  const { campaignId, campaignName, groupId, at } = newest
  const ofGroup = changes.filter(change => change.groupId === groupId)
  const count = changes.length
  // What the marketplace archived stays so.
  const canUndo = ofGroup.every(({ isWhole, after }) => isWhole && after !== 'ARCHIVED') && ofGroup.length === count
  const what = changes[0] ? lineOf(changes[0], currency) : null
  return accountDraft({
    kind: 'EXTERNAL_CHANGE',
    cause,
    occasion: groupId,
    title: `“${campaignName}” was changed outside Tideline`,
    body:
      count === 1 && what
        ? text`${what.label}: ${what.value}. Somebody did that at the marketplace itself.`
        : `${count} changes were made at the marketplace itself.`,
    url: `/campaigns?campaign=${campaignId}&tab=changes`,
    evidence: changes.slice(0, SHOWN_LINES).map(change => lineOf(change, currency)),
    campaignId,
    actions: canUndo ? ['UNDO_CHANGE'] : [],
    actionDetail: groupId,
    says: groupId,
    endsAt: new Date(at.getTime() + OPEN_HOURS * HOUR_MS),
  })
}

function lineOf({ entity, field, before, after }: ChangeOutside, currency: string) {
  const fields: Record<string, { label: string; kind: string }> = entities[entity].fields
  const isMoney = fields[field]?.kind === 'money'
  const show = (value: unknown): ReaderText => {
    if (value === null || value === undefined) return 'none'
    if (isMoney && typeof value === 'number') return text`${{ micros: value * 1e6, currency }}`
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? `${value}` : 'changed'
  }
  return {
    label: fields[field]?.label ?? field,
    format: 'text' as const,
    value: text`${show(before)} → ${show(after)}`,
  }
}
