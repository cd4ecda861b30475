import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx, Services } from '#server/context.ts'
import { parseInput } from '#server/http/parse-input.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import { testServices } from '../../../../tests/support/services.ts'
import { MAX_VIEWS, viewEndpoints } from '../contract.ts'
import { deleteView, listViews, saveView, updateView } from './views.ts'

let services: Services & { close(): Promise<void> }
let ctx: Ctx
beforeAll(async () => {
  services = await testServices()
  ctx = await callerOf(services, await addAccount(services))
})
afterAll(() => services.close())

const search = { state: 'ENABLED', sortBy: 'acos', columns: ['cost', 'acos'], minClicks: 10 }

test('a view is kept as the list was, and one of the same name is replaced', async () => {
  const saved = await saveView(ctx, { list: 'campaigns', name: 'Wasteful', search })
  expect(v.parse(viewEndpoints.create.response, saved)).toMatchObject({ name: 'Wasteful', search })
  await saveView(ctx, { list: 'adGroups', name: 'wasteful', search: {} })
  const again = await saveView(ctx, { list: 'campaigns', name: 'WASTEFUL', search: { state: 'PAUSED' } })
  expect(again).toEqual({
    id: saved.id,
    list: 'campaigns',
    name: 'WASTEFUL',
    search: { state: 'PAUSED' },
    isDefault: false,
  })
  await saveView(ctx, { list: 'campaigns', name: 'all', search: {} })
  expect((await listViews(ctx, 'campaigns')).map(view => view.name)).toEqual(['all', 'WASTEFUL'])
  expect(await listViews(ctx, undefined)).toHaveLength(3)
})

test('it is renamed unless another has the name, changed and deleted', async () => {
  const one = await saveView(ctx, { list: 'keywords', name: 'One', search })
  await saveView(ctx, { list: 'keywords', name: 'Two', search })
  await expect(updateView(ctx, one.id, { name: 'two' })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await updateView(ctx, one.id, { name: 'ONE' })).toEqual({ ...one, name: 'ONE' })
  expect(await updateView(ctx, one.id, { search: {} })).toEqual({ ...one, name: 'ONE', search: {} })
  await deleteView(ctx, one.id)
  await expect(deleteView(ctx, one.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await listViews(ctx, 'keywords')).map(view => view.name)).toEqual(['Two'])
})

test('a list opens with at most one view, and renaming it changes nothing about that', async () => {
  const [one, two] = [
    await saveView(ctx, { list: 'ads', name: 'One', search }),
    await saveView(ctx, { list: 'ads', name: 'Two', search }),
  ]
  const defaults = async () => (await listViews(ctx, 'ads')).filter(view => view.isDefault).map(view => view.name)
  await updateView(ctx, one.id, { isDefault: true })
  expect(await updateView(ctx, two.id, { isDefault: true })).toEqual({ ...two, isDefault: true })
  expect(await defaults()).toEqual(['Two'])
  await updateView(ctx, two.id, { name: 'Second' })
  await saveView(ctx, { list: 'ads', name: 'second', search: {} })
  expect(await defaults()).toEqual(['second'])
  await updateView(ctx, two.id, { isDefault: false })
  expect(await defaults()).toEqual([])
})

test('it is seen, changed and deleted by its user alone', async () => {
  const own = await saveView(ctx, { list: 'targets', name: 'Mine', search })
  const other = await callerOf(services, await addAccount(services))
  expect(await listViews(other, undefined)).toEqual([])
  await expect(updateView(other, own.id, { name: 'Theirs' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(deleteView(other, own.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await listViews(ctx, 'targets')).toEqual([own])
})

test('there are at most 50 of a list, and one too many leaves nothing behind', async () => {
  for (let i = 0; i < MAX_VIEWS; i++) await saveView(ctx, { list: 'negatives', name: `View ${i}`, search: {} })
  await expect(saveView(ctx, { list: 'negatives', name: 'More', search: {} })).rejects.toMatchObject({
    code: 'RULE_VIOLATED',
  })
  expect(await listViews(ctx, 'negatives')).toHaveLength(MAX_VIEWS)
})

test.each([
  [{ list: 'campaigns', name: '  ', search: {} }, 'Name is required'],
  [{ list: 'campaigns', name: 'x'.repeat(61), search: {} }, 'at most 60 characters'],
  [{ list: 'nothing', name: 'x', search: {} }, 'List must be a list'],
  [
    { list: 'campaigns', name: 'x', search: { columns: Array.from({ length: 500 }, () => 'column') } },
    'Too much to save in one view',
  ],
])('a bad view gets its sentence: %j', (body, message) => {
  expect(() => parseInput(viewEndpoints.create, { params: {}, query: {}, body })).toThrow(
    expect.objectContaining({ details: [expect.stringContaining(message)] }) as Error,
  )
})
