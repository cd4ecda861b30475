import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { profileEndpoints } from '#features/accounts/contract.ts'
import { listMerchants } from '#features/accounts/server/public.ts'
import { route } from '#server/http/route.ts'
import { type AuthScene, goodPassword, startAuthScene } from '../../../../tests/support/auth-scene.ts'
import type { Team } from '../contract.ts'
import { purgeInvitationsJob } from './purge-invitations.job.ts'
import { teamRoutes } from './routes.ts'

let scene: AuthScene
beforeAll(async () => {
  scene = await startAuthScene({
    routes: [...teamRoutes, route(profileEndpoints.merchants, ctx => listMerchants(ctx))],
  })
})
afterAll(() => scene.close())

const dayMs = 86_400_000
const address = () => `${randomUUID()}@people.test`
const person = { password: goodPassword, firstName: 'Vera', lastName: 'Guest' }

/** A person who is logged in, owning as many merchants as named. */
async function addOwner(...names: string[]) {
  const { system } = scene.services.db
  const email = await scene.newcomer()
  const { id: accountId } = await system
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const merchantIds: number[] = []
  for (const name of names) {
    const { rows } = await sql<{ id: number }>`insert into merchant (name, account_type, region, selling_partner_id)
      values (${name}, 'SELLER', 'NA', ${randomUUID()}) returning merchant_id as id`.execute(system)
    const id = rows[0]?.id ?? 0
    const owner = { account_id: accountId, merchant_id: id, role: 'OWNER' as const, ended_at: null }
    await system.insertInto('membership').values(owner).execute()
    merchantIds.push(id)
  }
  return { email, accountId, merchantIds, ...(await callsOf(email)) }
}

async function callsOf(email: string) {
  let token = (await scene.login(email)).accessToken
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    scene.call(path, body, { token, method: method as 'GET' })
  return {
    call,
    relogin: async () => {
      token = (await scene.login(email)).accessToken
    },
    team: async () => (await call('GET', '/team')).json<Team>(),
    invite: (email: string, merchantIds: number[]) => call('POST', '/team/invitations', { email, merchantIds }),
    merchants: async () => (await call('GET', '/profile')).json<{ name: string }[]>().map(one => one.name),
  }
}
const tokenOf = async (email: string, index = 0) => scene.tokenIn(await scene.letter(email, index))
const byToken = (what: 'open' | 'decline' | 'register', token: string, more: object = {}) =>
  scene.call(`/team/invitations/${what}`, { token, ...more })
const idOf = async (owner: { team: () => Promise<Team> }) => (await owner.team()).invitations[0]?.id ?? 0
const actionsFor = async (merchantId: number) =>
  (
    await scene.services.db.tenant(merchantId, tx =>
      tx.selectFrom('audit_entry').select(['action']).where('merchant_id', '=', merchantId).orderBy('id').execute(),
    )
  ).map(entry => entry.action)

describe('an invited person', () => {
  test('without an account registers by the link, with a verified address, and views that merchant alone', async () => {
    const owner = await addOwner('Harbor', 'Meadow')
    const email = address()
    const [harbor = 0] = owner.merchantIds
    expect((await owner.invite(` ${email.toUpperCase()} `, [harbor])).json()).toMatchObject({
      email,
      merchants: [{ id: harbor, name: 'Harbor' }],
      isExpired: false,
    })
    const letter = await scene.letter(email)
    expect(letter.subject).toBe('Mara Lind invited you to Tideline')
    expect(letter.text).toContain('view the advertising of Harbor in Tideline')
    const token = scene.tokenIn(letter)
    expect((await byToken('open', token)).json()).toMatchObject({
      email,
      invitedBy: 'Mara Lind',
      merchants: ['Harbor'],
    })
    const common = await byToken('register', token, { ...person, password: 'Password1!' })
    expect([common.statusCode, common.json().fields?.password]).toEqual([400, expect.stringContaining('too common')])
    expect((await byToken('register', token, person)).statusCode).toBe(201)
    const viewer = await callsOf(email)
    expect(await viewer.merchants()).toEqual(['Harbor'])
    expect((await viewer.call('GET', '/user')).json()).toMatchObject({
      roles: [{ name: 'VIEWER', authorities: [] }],
      currentMerchantId: harbor,
      currentMerchantRole: 'VIEWER',
    })
    expect((await viewer.call('GET', '/team')).statusCode).toBe(403)
    expect((await byToken('register', token, person)).json()).toMatchObject({
      errorCode: 'TOKEN_INVALID',
      message: 'This invitation was accepted already. Log in to continue.',
    })
    const { merchants, invitations } = await owner.team()
    expect(invitations).toEqual([])
    expect(merchants).toMatchObject([
      {
        name: 'Harbor',
        members: [
          { role: 'OWNER', isSelf: true },
          { email, role: 'VIEWER', name: 'Vera Guest' },
        ],
      },
      { name: 'Meadow', members: [{ role: 'OWNER' }] },
    ])
    expect(await actionsFor(harbor)).toEqual(['team.invite', 'team.accept'])
  })

  test('with an account accepts after log-in, as the invited address only, and keeps the own rights', async () => {
    const [owner, friend, stranger] = [await addOwner('Harbor'), await addOwner('Pine'), await addOwner()]
    await owner.invite(friend.email, owner.merchantIds)
    // The second mail to the friend: the first verified the address.
    const token = await tokenOf(friend.email, 1)
    expect((await byToken('register', token, person)).json()).toMatchObject({ errorCode: 'CONFLICT' })
    expect((await stranger.call('POST', '/team/invitations/accept', { token })).json()).toMatchObject({
      errorCode: 'RULE_VIOLATED',
    })
    const accepted = await friend.call('POST', '/team/invitations/accept', { token })
    expect(accepted.json()).toEqual({ merchantIds: owner.merchantIds })
    expect(await friend.merchants()).toEqual(['Harbor', 'Pine'])
    expect((await friend.team()).merchants.map(one => one.name)).toEqual(['Pine'])
    expect((await friend.call('GET', '/user')).json().roles).toMatchObject([{ name: 'OWNER' }])
  })

  test('whose address was registered but never verified takes it over by the link', async () => {
    const owner = await addOwner('Harbor')
    const email = address()
    await scene.call('/auth/register', { ...scene.registration(email), password: 'Somebody=4else' })
    await scene.letter(email)
    await owner.invite(email, owner.merchantIds)
    expect((await byToken('register', await tokenOf(email, 1), person)).statusCode).toBe(201)
    expect((await scene.call('/auth/login', { email, password: 'Somebody=4else' })).statusCode).toBe(401)
    expect(await (await callsOf(email)).merchants()).toEqual(['Harbor'])
  })

  test('accepts once, also by two calls at the same time', async () => {
    const owner = await addOwner('Harbor')
    const email = address()
    await owner.invite(email, owner.merchantIds)
    const token = await tokenOf(email)
    const answers = await Promise.all([byToken('register', token, person), byToken('register', token, person)])
    expect(answers.map(answer => answer.statusCode).sort((a, b) => a - b)).toEqual([201, 400])
  })

  test('declines by the link, and gets only what the inviter still owns', async () => {
    const owner = await addOwner('Harbor')
    const [first, second] = [address(), address()]
    await owner.invite(first, owner.merchantIds)
    const token = await tokenOf(first)
    expect((await byToken('decline', token)).statusCode).toBe(204)
    expect((await byToken('open', token)).json().message).toBe('This invitation was declined. Ask for a new one.')
    await owner.invite(second, owner.merchantIds)
    const { system } = scene.services.db
    await sql`update membership set ended_at = now() where account_id = ${owner.accountId}`.execute(system)
    expect((await byToken('register', await tokenOf(second), person)).json()).toMatchObject({
      message: 'This invitation is no longer valid. Ask for a new one.',
    })
  })
})

describe('an invitation', () => {
  test('is good for 7 days, and again with a new link after it was resent', async () => {
    const owner = await addOwner('Harbor')
    const email = address()
    await owner.invite(email, owner.merchantIds)
    const old = await tokenOf(email)
    scene.passTime(7 * dayMs + 1000)
    await owner.relogin()
    expect((await byToken('open', old)).json()).toMatchObject({
      errorCode: 'TOKEN_INVALID',
      message: 'This invitation has expired. Ask for a new one.',
    })
    expect((await owner.team()).invitations).toMatchObject([{ email, isExpired: true }])
    expect((await owner.call('POST', `/team/invitations/${await idOf(owner)}/resend`)).statusCode).toBe(204)
    const renewed = await tokenOf(email, 1)
    expect((await byToken('open', renewed)).statusCode).toBe(200)
    expect((await byToken('open', old)).json().message).toMatch(/^This link is not valid/)
    expect((await owner.team()).invitations).toMatchObject([{ isExpired: false }])
    scene.passTime(40 * dayMs)
    await purgeInvitationsJob.run(scene.services, {}, {} as never)
    expect((await byToken('open', renewed)).json().message).toMatch(/^This link is not valid/)
  })

  test('that is revoked says so, and is good again once that is undone', async () => {
    const owner = await addOwner('Harbor')
    const email = address()
    await owner.invite(email, owner.merchantIds)
    const [token, path] = [await tokenOf(email), `/team/invitations/${await idOf(owner)}`]
    expect((await owner.call('DELETE', path)).statusCode).toBe(204)
    expect((await byToken('register', token, person)).json().message).toBe(
      'This invitation was revoked. Ask for a new one.',
    )
    expect((await owner.call('POST', `${path}/resend`)).json()).toMatchObject({ errorCode: 'CONFLICT' })
    expect((await owner.call('POST', `${path}/restore`)).statusCode).toBe(204)
    expect((await byToken('register', token, person)).statusCode).toBe(201)
    expect((await owner.call('DELETE', path)).json()).toMatchObject({
      errorCode: 'CONFLICT',
      message: 'This invitation was accepted already.',
    })
    const [harbor = 0] = owner.merchantIds
    expect(await actionsFor(harbor)).toEqual(['team.invite', 'team.revoke', 'team.restore', 'team.accept'])
  })

  test('is another tenant’s: nobody else finds, sees, or gives away what is not theirs', async () => {
    const [owner, stranger] = [await addOwner('Harbor'), await addOwner('Pine')]
    await owner.invite(address(), owner.merchantIds)
    const path = `/team/invitations/${await idOf(owner)}`
    for (const [method, suffix] of [
      ['POST', '/resend'],
      ['POST', '/restore'],
      ['DELETE', ''],
    ] as const)
      expect((await stranger.call(method, path + suffix)).json()).toMatchObject({ errorCode: 'NOT_FOUND' })
    expect((await stranger.team()).invitations).toEqual([])
    const both = [...owner.merchantIds, ...stranger.merchantIds]
    expect((await stranger.invite(address(), both)).json()).toMatchObject({ errorCode: 'NOT_FOUND' })
    const member = `/team/merchants/${owner.merchantIds[0]}/members/${owner.accountId}`
    expect((await stranger.call('DELETE', member)).json()).toMatchObject({ errorCode: 'NOT_FOUND' })
  })

  test('goes to an address once, never to oneself, and says at the field what is wrong', async () => {
    const owner = await addOwner('Harbor')
    const email = address()
    const fieldOf = async (to: string) => (await owner.invite(to, owner.merchantIds)).json().fields?.email
    expect(await fieldOf(owner.email)).toBe('This is your own address')
    expect(await fieldOf('nobody')).toBe('Please enter a valid email address')
    expect(await fieldOf(email)).toBeUndefined()
    expect(await fieldOf(email)).toBe('An invitation to this address is pending. Resend or revoke that one')
    await byToken('register', await tokenOf(email), person)
    expect(await fieldOf(email)).toBe('This person has access to all of these already')
  })

  test('is limited: five mails to one address in a quarter of an hour', async () => {
    const owner = await addOwner('Harbor')
    await owner.invite(address(), owner.merchantIds)
    const path = `/team/invitations/${await idOf(owner)}/resend`
    for (let n = 1; n < 5; n++) expect((await owner.call('POST', path)).statusCode).toBe(204)
    const limited = await owner.call('POST', path)
    expect([limited.statusCode, Number(limited.headers['retry-after']) > 0]).toEqual([429, true])
  })
})

test('a viewer who is removed loses access with the next call; an owner cannot be removed', async () => {
  const owner = await addOwner('Harbor')
  const email = address()
  await owner.invite(email, owner.merchantIds)
  await byToken('register', await tokenOf(email), person)
  const viewer = await callsOf(email)
  expect(await viewer.merchants()).toEqual(['Harbor'])
  const members = (await owner.team()).merchants[0]?.members ?? []
  const path = (accountId = 0) => `/team/merchants/${owner.merchantIds[0]}/members/${accountId}`
  expect((await owner.call('DELETE', path(members[1]?.accountId))).statusCode).toBe(204)
  expect(await viewer.merchants()).toEqual([])
  expect((await owner.call('DELETE', path(members[0]?.accountId))).json()).toMatchObject({ errorCode: 'RULE_VIOLATED' })
  expect((await owner.call('DELETE', path(members[1]?.accountId))).json()).toMatchObject({ errorCode: 'NOT_FOUND' })
  expect((await actionsFor(owner.merchantIds[0] ?? 0)).at(-1)).toBe('team.remove')
})
