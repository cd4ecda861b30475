import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { updateAdGroup } from './edit-row.ts'

const scene = editScene()
const { added, caller } = scene

describe('a change of an ad group', () => {
  test('sets its name, default bid and state as pending, records them in the audit and notifies open screens', async () => {
    const { adGroupId, campaignId } = await added('Grouped')
    const published: unknown[] = []
    const stop = scene.services.events.subscribe(scene.account.accountId, event => published.push(event))
    const changed = await updateAdGroup(await caller(), adGroupId, {
      name: 'Renamed',
      defaultBid: 0.8,
      state: 'PAUSED',
    })
    expect(changed).toMatchObject({
      name: 'Renamed',
      defaultBid: 0.8,
      state: 'PAUSED',
      syncState: 'PENDING',
      version: 2,
    })
    const audit = await scene.services.db.system
      .selectFrom('audit_entry')
      .selectAll()
      .where('entity', '=', 'ad_group')
      .where('entity_id', '=', String(adGroupId))
      .executeTakeFirstOrThrow()
    expect(audit).toMatchObject({ action: 'ad_group.update', before: { defaultBid: 0.5 }, after: { defaultBid: 0.8 } })
    await expect
      .poll(() => published)
      .toContainEqual({ type: 'campaigns', data: { adGroupIds: [adGroupId], campaignId } })
    stop()
    await expect(updateAdGroup(await caller(1), adGroupId, { state: 'ENABLED' })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      extra: { current: { name: 'Renamed' } },
    })
  })

  test('keeps its bid under the budget and its name apart from the others of the campaign', async () => {
    const { adGroupId, campaignId } = await added('Limits of groups', { budget: 2 })
    await sql`insert into ad_group (merchant_id, profile_id, campaign_id, amazon_id, name, state)
      values (${scene.account.merchantId}, ${scene.account.profileId}, ${campaignId}, ${`9${campaignId}`}, 'Second', 'ENABLED')`.execute(
      scene.services.db.system,
    )
    await expect(updateAdGroup(await caller(), adGroupId, { defaultBid: 2.01, name: 'SECOND' })).rejects.toMatchObject({
      extra: {
        fields: {
          name: 'Another ad group of the campaign has this name',
          defaultBid: 'The bid must not be higher than the campaign’s daily budget of 2 USD',
        },
      },
    })
    const own = await updateAdGroup(await caller(), adGroupId, { name: 'LIMITS OF GROUPS GROUP' })
    expect(own.name).toBe('LIMITS OF GROUPS GROUP')
  })

  test('is not for other merchants', async () => {
    const { adGroupId } = await added('Guarded group')
    const stranger = await scene.stranger()
    await expect(updateAdGroup(stranger, adGroupId, { defaultBid: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
