import { sql } from 'kysely'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type ListName, MAX_VIEWS, type View, type viewEndpoints } from '../contract.ts'

const columns = ['id', 'list', 'name', 'search', 'is_default as isDefault'] as const
const missing = () => new AppError('NOT_FOUND', 'There is no such view.')

/** The user's views of a list, or of all, by name. */
export async function listViews(ctx: Ctx, list: ListName | undefined): Promise<View[]> {
  const rows = await ctx.db.transaction(tx =>
    viewsOf(tx, ctx)
      .$if(list !== undefined, query => query.where('list', '=', list ?? ''))
      .orderBy(sql`lower(name)`)
      .execute(),
  )
  return rows as View[]
}

/** Saves a view; one of the same list and name is replaced. Throws RULE_VIOLATED when the user has 50 of the list. */
export function saveView(
  ctx: Ctx,
  { list, name, search }: EndpointParsed<typeof viewEndpoints.create>['body'],
): Promise<View> {
  const { accountId } = ctx.actor
  return ctx.db.transaction(async tx => {
    const values = { account_id: accountId, list, name, search: JSON.stringify(search), created_at: ctx.clock.now() }
    const saved = await tx
      .insertInto('saved_view')
      .values(values)
      .onConflict(conflict =>
        conflict.expression(sql`account_id, list, lower(name)`).doUpdateSet({ name, search: values.search }),
      )
      .returning(columns)
      .executeTakeFirstOrThrow()
    const { count } = await tx
      .selectFrom('saved_view')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('list', '=', list)
      .executeTakeFirstOrThrow()
    if (Number(count) > MAX_VIEWS)
      throw new AppError('RULE_VIOLATED', `A list has at most ${MAX_VIEWS} views. Delete one that you no longer need.`)
    return saved as View
  })
}

/** Renames a view, replaces what it shows, or makes it the one that its list opens with, in place of another. Throws NOT_FOUND, or CONFLICT when the name is another view's. */
export function updateView(
  ctx: Ctx,
  id: number,
  { name, search, isDefault }: EndpointParsed<typeof viewEndpoints.update>['body'],
): Promise<View> {
  return ctx.db.transaction(async tx => {
    const one = await viewsOf(tx, ctx).where('id', '=', id).forUpdate().executeTakeFirst()
    if (!one) throw missing()
    if (name !== undefined) {
      const other = viewsOf(tx, ctx).where('list', '=', one.list).where('id', '<>', id)
      if (await other.where(sql`lower(name)`, '=', name.toLowerCase()).executeTakeFirst())
        throw new AppError('CONFLICT', 'Another view has this name.')
    }
    if (isDefault)
      await tx
        .updateTable('saved_view')
        .set({ is_default: false })
        .where('account_id', '=', ctx.actor.accountId)
        .where('list', '=', one.list)
        .where('is_default', '=', true)
        .execute()
    const changed = await tx
      .updateTable('saved_view')
      .set({
        name: name ?? one.name,
        search: JSON.stringify(search ?? one.search),
        is_default: isDefault ?? one.isDefault,
      })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow()
    return changed as View
  })
}

/** Deletes a view. Throws NOT_FOUND when the user has none of this id. */
export async function deleteView(ctx: Ctx, id: number): Promise<null> {
  const { numDeletedRows } = await ctx.db.transaction(tx =>
    tx
      .deleteFrom('saved_view')
      .where('account_id', '=', ctx.actor.accountId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
  if (!numDeletedRows) throw missing()
  return null
}

const viewsOf = (tx: Db, ctx: Ctx) =>
  tx.selectFrom('saved_view').select(columns).where('account_id', '=', ctx.actor.accountId)
