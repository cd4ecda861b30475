import { afterAll, beforeAll } from 'vitest'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import { type AdsClient, adsClient, startSmallSandbox } from './ads-world.ts'

/** One sandbox of the small scenario for a file of tests, and a client of its owner. Filled before the first test. */
export function smallScene(): { sandbox: Sandbox; ads: AdsClient } {
  const scene = {} as { sandbox: Sandbox; ads: AdsClient }
  beforeAll(async () => {
    scene.sandbox = await startSmallSandbox()
    scene.ads = await adsClient(scene.sandbox)
  })
  afterAll(() => scene.sandbox.close())
  return scene
}

/** The media type of a Sponsored Products resource. */
export const media = (name: string): string => `application/vnd.${name}.v3+json`

/** An exact keyword's create item that nothing is wrong with. */
export function keywordItem(campaignId: string, adGroupId: string, keywordText: string, more: object = {}): object {
  return {
    campaignId,
    adGroupId,
    keywordText,
    matchType: 'EXACT',
    state: 'ENABLED',
    ...more,
  }
}
