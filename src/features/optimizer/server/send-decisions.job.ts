import * as v from 'valibot'
import { sql } from 'kysely'
import { z } from 'zod'
import { keywordText } from '#shared/keyword-rules.ts'
import { dayIn } from '#shared/time.ts'
import { type Profile, profileById } from '#features/accounts/server/public.ts'
import { isAsin } from '#features/search-terms/contract.ts'
import { createRows, editMany, newGroup, type NewRow, resendNewRows } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { changeDecision, lockDecisions, type StoredDecision } from './decisions.ts'
import { readGroup, type Group } from './groups.ts'
import { type Locked, isSame, lockSubjects, setFor, valueNow } from './place-values.ts'
import { type NewPin, type Pin, addPins, pinHandEdits, pinsOn } from './pins.ts'

/** Beyond so many a next run sends the rest. */
const mostAtOnce = 1000

/**
 * Sends what was decided, by the edits that people make too: the entity as PENDING, the ledger and the row's state are one
 * transaction, and the changes' own jobs talk to the marketplace. What is no longer as the decision found it belongs to
 * who changed it.
 */
export const sendDecisions: JobDefinition<{ merchantId: number; profileId: number; groupId: number }> = defineJob({
  name: 'optimizer-send',
  data: z.object({ merchantId: z.number(), profileId: z.number(), groupId: z.number() }),
  policy: 'stately',
  concurrency: 2,
  run: async (services, ref) => {
    const { merchantId, profileId, groupId } = ref
    const { db, jobs } = services
    const profile = await db.reading(merchantId, tx => profileById(tx, merchantId, profileId))
    await db.tenant(merchantId, async tx => {
      const group = await readGroup(tx, profile, groupId, { lock: true })
      if (group.state !== 'RUNNING') return
      const sent = await sendQueued(services, tx, profile, group)
      if (sent === mostAtOnce) await jobs.send(tx, sendDecisions, ref, { key: `${groupId}` })
    })
  },
})

interface Sending {
  services: Services
  tx: Db
  profile: Profile
  group: Group
  at: Date
}

async function sendQueued(services: Services, tx: Db, profile: Profile, group: Group): Promise<number> {
  const at = services.clock.now()
  await pinHandEdits(tx, group, profile, at)
  const pins = await pinsOn(tx, group, group.id, dayIn(at, profile.timezone))
  const queued = await lockDecisions(
    tx,
    group,
    sql`d.state = 'QUEUED'
    and d.id in (select q.id from optimizer_decision q where q.merchant_id = ${group.merchantId} and q.group_id = ${group.id}
      and q.state = 'QUEUED' order by q.id limit ${mostAtOnce})`,
  )
  const sending = { services, tx, profile, group, at }
  const locked = await lockSubjects(tx, profile, queued)
  await sendEdits(
    sending,
    queued.filter(one => one.entity !== 'adGroup'),
    locked,
    pins,
  )
  for (const own of Map.groupBy(
    queued.filter(one => one.entity === 'adGroup'),
    one => one.decisionGroup,
  ).values())
    await sendNew(sending, own)
  return queued.length
}

const rule = ({ jobs, events }: Services) => ({ jobs, events, actor: null })

async function sendEdits(
  { services, tx, profile, group, at }: Sending,
  decisions: readonly StoredDecision[],
  locked: Locked,
  pins: readonly Pin[],
): Promise<void> {
  const due: StoredDecision[] = []
  const lost: NewPin[] = []
  for (const one of decisions) {
    const now = valueNow(locked, one)
    const isPinned = pins.some(pin => pin.entity === one.entity && pin.entityId === one.entityId)
    if (now !== null && isSame(now, one.after))
      await changeDecision(tx, group, one.id, { state: 'CONFIRMED', confirmedAt: at })
    else if (now === null || !isSame(now, one.before) || isPinned) {
      await changeDecision(tx, group, one.id, { state: 'SUPERSEDED' })
      if (one.entityId !== null && (one.entity === 'target' || one.entity === 'campaign'))
        lost.push({
          entity: one.entity,
          entityId: one.entityId,
          term: '',
          reason: 'HAND',
          source: `decision ${one.id}`,
        })
    } else due.push(one)
  }
  await addPins(tx, group, profile, lost, at)
  if (!due.length) return
  // A budget and a raise of one campaign are one change of it.
  const byRow = [...Map.groupBy(due, one => `${one.entity} ${one.entityId}`).values()]
  const changeGroup = newGroup()
  const edits = byRow.map(own => ({
    entity: own[0]?.entity === 'target' ? ('target' as const) : ('campaign' as const),
    id: own[0]?.entityId ?? 0,
    version: null,
    set: Object.assign({}, ...own.map(one => setFor(locked, one, one.after))) as Record<string, unknown>,
  }))
  const act = { origin: 'RULE', groupId: changeGroup, at } as const
  const outcomes = await editMany(rule(services), tx, profile, edits, act)
  for (const [i, own] of byRow.entries()) {
    const isTaken = outcomes[i]?.status === 'CHANGED' || outcomes[i]?.status === 'SAME'
    for (const { id } of own)
      await changeDecision(
        tx,
        group,
        id,
        isTaken
          ? { state: 'SENT', changeGroup, sentAt: at }
          : { state: 'FAILED', answer: outcomes[i]?.message ?? 'This cannot be changed.' },
      )
  }
}

/** A new keyword or product target, a negative, or both: then the negative waits until the marketplace has the keyword. */
async function sendNew(
  { services, tx, profile, group, at }: Sending,
  decisions: readonly StoredDecision[],
): Promise<void> {
  const changeGroup = newGroup()
  const act = { origin: 'RULE', accountId: null, groupId: changeGroup, at } as const
  const harvest = decisions.find(one => one.kind === 'harvest')
  let after: number | undefined
  for (const one of [...(harvest ? [harvest] : []), ...decisions.filter(other => other !== harvest)]) {
    const text = String(one.kind === 'harvest' ? one.before : one.after)
    const place = await placeOf(tx, profile, one.entityId)
    const problem = place ? problemOf(text) : 'The ad group is archived.'
    if (!place || problem !== null) {
      await changeDecision(tx, group, one.id, { state: 'FAILED', answer: problem })
      // Without its keyword the search stays where it is.
      if (one === harvest) {
        for (const other of decisions)
          if (other !== one) await changeDecision(tx, group, other.id, { state: 'FAILED', answer: problem })
        return
      }
      continue
    }
    // One that the marketplace rejected is sent again as it is.
    const entity = one === harvest ? 'target' : 'negative'
    if (
      one.createdId !== null &&
      (await resendNewRows(services, tx, profile, entity, [one.createdId], at)).length > 0
    ) {
      if (one === harvest) after = one.createdId
      await changeDecision(tx, group, one.id, { state: 'SENT', sentAt: at })
      continue
    }
    const [created] = await createRows(
      services,
      tx,
      profile,
      entity,
      [{ ...rowFor(one, text), ...place, ...(one !== harvest && after !== undefined && { after }) }],
      act,
    )
    if (one === harvest) after = created?.status === 'CREATED' ? created.id : undefined
    // One that was undone is paused, and only begins again.
    const isPaused = created?.status === 'EXISTS' && created.state === 'PAUSED' && one.createdId !== null
    if (isPaused) {
      const edit = { entity: 'target' as const, id: created.id, version: null, set: { state: 'ENABLED' } }
      await editMany(rule(services), tx, profile, [edit], { origin: 'RULE', groupId: changeGroup, at })
    }
    const isNew = created?.status === 'CREATED' || isPaused
    await changeDecision(tx, group, one.id, {
      state: isNew ? 'SENT' : 'SUPERSEDED',
      ...(isNew && { changeGroup, createdId: created.id, sentAt: at }),
      ...(!isNew && { answer: 'It was there already.' }),
    })
  }
}

function rowFor(one: StoredDecision, text: string): Omit<NewRow, 'campaignId' | 'adGroupId'> {
  const bid = one.kind === 'harvest' ? { bidMicros: Number(one.after) } : {}
  if (isAsin(text)) {
    const value = text.toUpperCase()
    const expression = [{ type: 'ASIN_SAME_AS', value }]
    return { kind: 'PRODUCT', text: `ASIN_SAME_AS: ${value}`, matchType: null, expression, ...bid }
  }
  const matchType = one.kind === 'harvest' ? 'EXACT' : 'NEGATIVE_EXACT'
  return { kind: 'KEYWORD', text, matchType, expression: null, ...bid }
}

function problemOf(text: string): string | null {
  if (isAsin(text)) return null
  const parsed = v.safeParse(keywordText, text, { abortPipeEarly: true })
  return parsed.success ? null : parsed.issues[0].message
}

async function placeOf(tx: Db, { merchantId, profileId }: Profile, adGroupId: number | null) {
  const { rows } = await sql<{
    campaignId: number
    adGroupId: number
  }>`select a.campaign_id as "campaignId", a.id as "adGroupId"
    from ad_group a join campaign c on c.merchant_id = a.merchant_id and c.id = a.campaign_id
    where a.merchant_id = ${merchantId} and a.profile_id = ${profileId} and a.id = ${adGroupId}
      and a.state <> 'ARCHIVED' and a.gone_at is null and c.state <> 'ARCHIVED' and c.gone_at is null`.execute(tx)
  return rows[0] ?? null
}
