import { describe, expect, test } from 'vitest'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { updateAd } from './edit-row.ts'

const scene = editScene()
const { added, caller } = scene

describe('a change of an ad', () => {
  test('pauses and enables it as pending', async () => {
    const { adId } = await added('Advertised')
    expect(await updateAd(await caller(), adId, 'PAUSED')).toMatchObject({ state: 'PAUSED', syncState: 'PENDING' })
    expect(await updateAd(await caller(2), adId, 'ENABLED')).toMatchObject({ state: 'ENABLED', version: 3 })
    expect(await updateAd(await caller(3), adId, 'ENABLED')).toMatchObject({ version: 3 })
  })

  test('is not for other merchants', async () => {
    const { adId } = await added('Guarded ad')
    const stranger = await scene.stranger()
    await expect(updateAd(stranger, adId, 'PAUSED')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
