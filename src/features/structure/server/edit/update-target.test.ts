import { describe, expect, test } from 'vitest'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { updateTarget } from './edit-row.ts'

const scene = editScene()
const { added, caller } = scene

describe('a change of a keyword', () => {
  test('sets its bid and state as pending', async () => {
    const { keywordId } = await added('Bids')
    const changed = await updateTarget(await caller(), 'keyword', { id: keywordId, bid: 0.9, state: 'PAUSED' })
    expect(changed).toMatchObject({ bid: 0.9, state: 'PAUSED', syncState: 'PENDING', version: 2 })
    await expect(updateTarget(await caller(1), 'keyword', { id: keywordId, bid: 1 })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      extra: { current: { bid: 0.9 } },
    })
  })

  test('keeps its bid under the campaign’s budget and within the marketplace’s limits', async () => {
    const { keywordId } = await added('Small', { budget: 2 })
    const tried = async (bid: number) => updateTarget(await caller(), 'keyword', { id: keywordId, bid })
    await expect(tried(2.01)).rejects.toMatchObject({
      extra: { fields: { bid: 'The bid must not be higher than the campaign’s daily budget of 2 USD' } },
    })
    await expect(tried(0.01)).rejects.toMatchObject({ details: ['The bid must be between 0.02 and 1000 USD'] })
    expect((await tried(2)).bid).toBe(2)
  })

  test('archives it; an automatic group can only be paused', async () => {
    const { keywordId } = await added('Given up')
    const gone = await updateTarget(await caller(), 'keyword', { id: keywordId, state: 'ARCHIVED' })
    expect(gone).toMatchObject({ state: 'ARCHIVED', syncState: 'PENDING' })
    const { keywordId: auto } = await added('Automatic')
    await scene.services.db.system.updateTable('target').set({ kind: 'AUTO' }).where('id', '=', auto).execute()
    await expect(updateTarget(await caller(), 'target', { id: auto, state: 'ARCHIVED' })).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
    })
  })

  test('is not found as a target, nor by another merchant', async () => {
    const { keywordId } = await added('Kinds')
    await expect(updateTarget(await caller(), 'target', { id: keywordId, bid: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const stranger = await scene.stranger()
    await expect(updateTarget(stranger, 'keyword', { id: keywordId, bid: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
