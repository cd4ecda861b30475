import * as v from 'valibot'
import { afterAll, beforeAll } from 'vitest'
import { campaignListEndpoints as lists } from '#features/campaigns/contract.ts'
import { campaignsRoutes } from '#features/campaigns/server/routes.ts'
import { structureEndpoints } from '#features/structure/contract.ts'
import { structureRoutes } from '#features/structure/server/routes.ts'
import type { Ctx, Services } from '#server/context.ts'
import { parseInput } from '#server/http/parse-input.ts'
import { addTestAccount, addTestCampaign, type TestAccount, testCaller } from './campaign-account.ts'
import { testServices } from './services.ts'

type Lists = typeof lists & typeof structureEndpoints
type Campaign = Awaited<ReturnType<typeof addTestCampaign>>

/** An account with five campaigns, three of them with figures on March 10 and 11, and its lists. Filled before the first test. */
export function listScene() {
  const scene = {} as {
    services: Services & { close(): Promise<void> }
    account: TestAccount
    ctx: Ctx
    ids: Record<'wins' | 'burns' | 'poor' | 'silent' | 'tied', Campaign>
  }
  beforeAll(async () => {
    const services = await testServices()
    const account = await addTestAccount(services)
    const add = (name: string, more: Omit<Parameters<typeof addTestCampaign>[2], 'name'> = {}) =>
      addTestCampaign(services, account, { name, days: ['2026-03-10', '2026-03-11'], ...more })
    const ids = {
      wins: await add('Alpha wins', { day: [1000, 50, 20, 100, 5], budget: 30 }),
      burns: await add('beta burns', { day: [900, 40, 15, 0, 0], budget: 20 }),
      poor: await add('Gamma poor', { day: [800, 10, 30, 40, 1], state: 'PAUSED' }),
      silent: await add('delta silent'),
      tied: await add('epsilon silent too', { state: 'ARCHIVED' }),
    }
    Object.assign(scene, { services, account, ids, ctx: await testCaller(services, account) })
  })
  afterAll(() => scene.services.close())

  /** Calls as the server does: the query as text, the answer held to its own schema. */
  async function ask<K extends keyof Lists>(
    what: K,
    query: Record<string, string> = {},
    caller: Ctx = scene.ctx,
    params: Record<string, string> = {},
  ): Promise<v.InferOutput<Lists[K]['response']>> {
    const endpoint = { ...lists, ...structureEndpoints }[what]
    const input = parseInput(endpoint, { params, query, body: undefined })
    const found = [...campaignsRoutes, ...structureRoutes].find(route => route.endpoint === endpoint)
    const answer = await found?.handler(caller as never, input as never)
    return v.parse(endpoint.response, answer) as v.InferOutput<Lists[K]['response']>
  }
  return { scene, ask }
}
