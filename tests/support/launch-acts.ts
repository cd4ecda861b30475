import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type Launch, launchEndpoints } from '#features/launches/contract.ts'
import { type CreatePayload, createPayload, type CreatePayloadInput } from '#features/launches/launch-schema.ts'
import { createLaunch } from '#features/launches/server/create-launch.ts'
import { getLaunch } from '#features/launches/server/log/read-launches.ts'
import { runLaunch } from '#features/launches/server/run/run-launch.ts'
import type { Timing } from '#features/launches/server/run/launch-run.ts'
import type { Ctx } from '#server/context.ts'
import { onceByKey } from '#server/http/idempotency.ts'
import type { LaunchScene } from './launch-scene.ts'

/** As patient as a test can afford. */
export const quickTiming: Timing = { quietMs: 100, pollMs: 50, leaseMs: 3000, maxSends: 3 }

/** What a seller does with launches in a scene, and what the marketplace holds of them. */
export function launchActs(scene: LaunchScene) {
  const productOf = (eligibility: string) => {
    const product = scene.products.find(p => p.eligibility === eligibility)
    if (!product) throw new Error(`the scenario has no product that is ${eligibility}`)
    return { asin: product.asin, sku: product.sku ?? '' }
  }
  const payloadOf = (extra: Partial<CreatePayloadInput> = {}) =>
    v.parse(createPayload, {
      campaignName: `Launch ${randomUUID().slice(0, 8)}`,
      budget: 60,
      targetAcos: 30,
      setupMode: 'SMART',
      template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
      strategy: 'NORMAL',
      products: [productOf('ELIGIBLE')],
      ...extra,
    })
  return {
    productOf,
    payloadOf,
    begin: async (extra: Partial<CreatePayloadInput> = {}): Promise<number> =>
      (await createLaunch(await scene.caller(), payloadOf(extra))).launchId,
    /** As `begin`, by the caller's Idempotency-Key, which the server checks before the verb runs. */
    beginOnce: async (
      ctx: Ctx,
      payload: CreatePayload,
      afterCommit: (launch: { launchId: number }) => Promise<unknown> = async () => undefined,
    ): Promise<unknown> => {
      const { body } = await onceByKey(ctx, 'POST /campaigns', payload, async save => {
        const saveAnswer: Ctx['saveAnswer'] = (tx, answer) => save(tx, { status: 202, body: answer })
        const launch = await createLaunch({ ...ctx, saveAnswer }, payload)
        await afterCommit(launch)
        return { status: 202, body: launch }
      })
      return body
    },
    run: (launchId: number) =>
      runLaunch(scene.services, { merchantId: scene.merchantId, launchId }, { signal: scene.watch() }, quickTiming),
    /** Time passes until a killed holder has lost the launch. */
    loseLease: (launchId: number) =>
      scene.services.db.system
        .updateTable('launch')
        .set({ lease_until: new Date(0) })
        .where('merchant_id', '=', scene.merchantId)
        .where('id', '=', launchId)
        .execute(),
    /** The launch as its answer shows it, held to the contract. */
    view: async (launchId: number): Promise<Launch> =>
      v.parse(launchEndpoints.get.response, await getLaunch(await scene.caller(), launchId)),
    campaignsOf: (name: string) => [...scene.world.store.campaigns.values()].filter(c => c.name.includes(name)),
    fault: (kind: 'partial' | 'throttle' | 'expired-token' | 'drop-before', path: string, extra: object = {}) =>
      scene.world.faults.add({ match: { vendor: 'ads', method: 'POST', path }, kind, ...extra }),
  }
}
