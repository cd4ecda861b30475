import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { productCalls } from './product-calls.ts'

const imports = z.array(z.object({ status: z.string() }))
const groups = z.object({ content: z.array(z.object({ id: z.number() })) })
const campaigns = z.object({
  content: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      adType: z.string(),
      state: z.string(),
      budget: z.number().nullable(),
      cost: z.number(),
    }),
  ),
})
const check = z.object({ targetAcos: z.number(), strategy: z.string() })
const takenOver = z.object({ groupId: z.number() })
const started = z.object({
  startedAt: z.string().nullable(),
  lastRun: z.object({ at: z.string() }).nullable(),
})
const questions = z.object({ content: z.array(z.object({ id: z.number() })) })

type Campaign = z.infer<typeof campaigns>['content'][number]
const mostCampaigns = 5

/** Campaigns that sell the same kind of product, which their names begin with; what costs most comes first. */
function kindsOf(all: readonly Campaign[]): [kind: string, campaigns: Campaign[]][] {
  const open = all.filter(one => one.adType === 'SPONSORED_PRODUCTS' && one.state === 'ENABLED' && one.budget !== null)
  const sum = (own: readonly Campaign[]): number => own.reduce((total, { cost }) => total + cost, 0)
  return [...Map.groupBy(open, ({ name }) => name.split(' – ')[0] ?? name)].toSorted((a, b) => sum(b[1]) - sum(a[1]))
}

const mostTries = 60

/** Says yes once to the bids of a group's first run: where most of them want the same step, they are one question. */
async function approveBids(
  must: ReturnType<typeof productCalls>['must'],
  as: { token: string; shop: string },
  groupId: number,
): Promise<void> {
  for (let i = 0; i < mostTries; i++, await sleep(2000)) {
    const { startedAt, lastRun } = started.parse(await must('GET', `/optimizer/groups/${groupId}`, as))
    if (!startedAt || !lastRun || lastRun.at < startedAt) continue
    const path = `/automation-logs?groupId=${groupId}&kind=bid&state=PROPOSED&size=1`
    const [question] = questions.parse(await must('GET', path, as)).content
    if (question) await must('POST', `/automation-logs/${question.id}/approve`, { ...as, body: {} })
    return
  }
}

/**
 * Takes the campaigns of two kinds of products over, as a person would who accepts what is suggested: the first group begins
 * at once and changes its bids, the second one only says what it would do. False while figures are still imported; a shop that has
 * groups is left alone.
 */
export async function takeCampaignsOver(
  must: ReturnType<typeof productCalls>['must'],
  token: string,
  shop: string,
): Promise<boolean> {
  const as = { token, shop }
  if (groups.parse(await must('GET', '/optimizer/groups', as)).content.length > 0) return true
  const running = imports.parse(await must('GET', '/seeding-status/active', as))
  if (running.some(({ status }) => status !== 'COMPLETED')) return false
  const { content } = campaigns.parse(await must('GET', '/campaign/cm?size=100&sortBy=cost', as))
  const takeOver = async (name: string, own: readonly Campaign[]): Promise<number> => {
    const campaignIds = own.slice(0, mostCampaigns).map(({ id }) => id)
    const query = `campaignIds=${campaignIds.join(',')}`
    const suggested = check.parse(await must('GET', `/optimizer/takeover-check?${query}`, as))
    const body = { campaignIds, name, ...suggested }
    return takenOver.parse(await must('POST', '/campaign/takeover', { ...as, body, key: name })).groupId
  }
  const [first, second] = kindsOf(content)
  if (!first || !second) return false
  const id = await takeOver(...first)
  await must('POST', `/optimizer/groups/${id}/start`, as)
  await takeOver(...second)
  await approveBids(must, as, id)
  return true
}
