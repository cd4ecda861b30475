import { type InsertStmt, type Node, parseSync, type SelectStmt, type UpdateStmt } from 'libpg-query'
import type { Kind } from '#server/db/distribute/plan.ts'
import { levelsOf, type Relation } from './levels.ts'

/** What the rules must know of the database. */
export interface Schema {
  /** The column by which tables are distributed. */
  column: string
  /** Null for what is no table of ours. */
  kindOf: (table: string) => Kind | null
  /** Of a function; the least settled where several have the name and number of arguments. */
  volatilityOf: (name: string, args: number) => 'volatile' | 'stable' | 'immutable'
  /** True for a column that holds dates or moments, whose text depends on the session. */
  isTime: (column: string) => boolean
}

export const rules = {
  untied: 'a distributed table is tied to no merchant in its own query',
  correlated: 'a distributed table is tied to the merchant by a query around it only',
  many: 'several distributed tables are tied to a list of merchants',
  local: 'distributed and local tables in one statement',
  conflict: 'a parameter in ON CONFLICT of INSERT … SELECT',
  unstable: 'a function that may answer differently each time, in UPDATE, DELETE, ON CONFLICT or RETURNING',
  inserted: 'a subquery in VALUES',
} as const
export type Rule = keyof typeof rules

export interface Breach {
  rule: Rule
  /** The table, function or part it is about. */
  what: string
  /** Bytes from the beginning of the statement. */
  at: number
}

type Tree = Record<string, unknown>
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

/** Each value in the tree that stands under one of these keys; the search goes on within it unless `visit` answers false. */
function eachOf(tree: unknown, keys: readonly string[], visit: (value: never, key: string) => boolean | void) {
  if (!isTree(tree)) return
  for (const [key, value] of Object.entries(tree))
    if (!keys.includes(key) || visit(value as never, key) !== false) eachOf(value, keys, visit)
}

const tieRules = { none: 'untied', outer: 'correlated', many: 'many' } as const

function brokenTies(statement: Node, { column, kindOf }: Schema): Breach[] {
  const isDistributed = (table: string) => kindOf(table) === 'distributed'
  const relations = levelsOf(statement, column, isDistributed).flat()
  const distributed = relations.filter(
    (relation): relation is Relation & { table: string } => relation.table !== null && isDistributed(relation.table),
  )
  const lists = distributed.filter(({ tie }) => tie === 'many').length
  return distributed.flatMap(({ table, at, tie }) =>
    tie === 'one' || (tie === 'many' && lists < 2) ? [] : [{ rule: tieRules[tie], what: table, at }],
  )
}

function mixedKinds(statement: Node, { kindOf }: Schema): Breach[] {
  const tables: { what: string; at: number; kind: Kind | null }[] = []
  eachOf(statement, ['RangeVar', 'relation'], ({ relname, location }: { relname?: string; location?: number }) => {
    if (relname !== undefined) tables.push({ what: relname, at: location ?? 0, kind: kindOf(relname) })
  })
  if (!tables.some(({ kind }) => kind === 'distributed')) return []
  return tables.filter(({ kind }) => kind === 'local').map(({ what, at }) => ({ rule: 'local', what, at }))
}

const isSelect = ({ selectStmt }: InsertStmt): boolean =>
  selectStmt !== undefined && 'SelectStmt' in selectStmt && selectStmt.SelectStmt.valuesLists === undefined

function brokenInserts(insert: InsertStmt): Breach[] {
  const found: Breach[] = []
  const add = (rule: Rule, tree: unknown, key: string, what: string) =>
    eachOf(tree, [key], ({ location }: { location?: number }) => void found.push({ rule, what, at: location ?? 0 }))
  if (isSelect(insert)) add('conflict', insert.onConflictClause, 'ParamRef', 'ON CONFLICT')
  else
    add(
      'inserted',
      (insert.selectStmt as { SelectStmt?: SelectStmt } | undefined)?.SelectStmt?.valuesLists,
      'SubLink',
      'VALUES',
    )
  return found
}

/** What depends on more than its arguments in a part that runs on the servers of the rows. */
function unstableIn(tree: unknown, schema: Schema, allowed: 'nothing' | 'before it is sent'): Breach[] {
  const found: Breach[] = []
  const add = (what: string, at: unknown) => void found.push({ rule: 'unstable', what, at: Number(at ?? 0) })
  eachOf(tree, unstableKeys, (value: Tree, key) => {
    const isOpen = allowed !== 'nothing'
    // Left to the server that has the row, whatever it is.
    if (key === 'SubLink' && isOpen) return false
    if (isOpen && (key === 'CoalesceExpr' || key === 'CaseExpr')) {
      found.push(...unstableIn(value, schema, 'nothing'))
      return false
    }
    if (key === 'SQLValueFunction' && !isOpen) add('current_timestamp', value.location)
    if (key === 'TypeCast') {
      const name = nameOf((value.arg as { ColumnRef?: { fields: unknown } } | undefined)?.ColumnRef?.fields)
      if (name && schema.isTime(name)) add(`${name}::`, value.location)
    }
    if (key !== 'FuncCall') return true
    const name = nameOf(value.funcname) ?? ''
    const volatility = schema.volatilityOf(name, (value.args as unknown[] | undefined)?.length ?? 0)
    if (volatility === 'volatile' || (volatility === 'stable' && (!isOpen || hasColumn(value.args))))
      add(name, value.location)
    return true
  })
  return found
}
const unstableKeys = ['FuncCall', 'SQLValueFunction', 'TypeCast', 'SubLink', 'CoalesceExpr', 'CaseExpr']

const nameOf = (names: unknown): string | undefined =>
  (names as { String?: { sval: string } }[] | undefined)?.at(-1)?.String?.sval

function hasColumn(tree: unknown): boolean {
  let found = false
  eachOf(tree, ['ColumnRef', 'SubLink'], (_, key) => {
    if (key === 'ColumnRef') found = true
    return false
  })
  return found
}

function unstableParts(tree: unknown, schema: Schema): Breach[] {
  const found: Breach[] = []
  eachOf(tree, ['UpdateStmt', 'InsertStmt', 'DeleteStmt'], (part: UpdateStmt & InsertStmt, key) => {
    if (schema.kindOf(part.relation?.relname ?? '') !== 'distributed') return
    const { targetList, whereClause, onConflictClause, returningList } = part
    if (key !== 'InsertStmt') found.push(...unstableIn([targetList, whereClause], schema, 'before it is sent'))
    found.push(...unstableIn([onConflictClause, returningList], schema, 'nothing'))
  })
  return found
}

/** What a distributed PostgreSQL would refuse in these statements, or send to every server. Throws when they do not parse. */
export function breachesOf(text: string, schema: Schema): Breach[] {
  const { stmts } = parseSync(text) as { stmts?: { stmt: Node }[] }
  return (stmts ?? []).flatMap(({ stmt }) => {
    const inserts: InsertStmt[] = []
    eachOf({ stmt }, ['InsertStmt'], (insert: InsertStmt) => {
      if (schema.kindOf(insert.relation?.relname ?? '') === 'distributed') inserts.push(insert)
    })
    return [
      ...brokenTies(stmt, schema),
      ...mixedKinds(stmt, schema),
      ...inserts.flatMap(brokenInserts),
      ...unstableParts({ stmt }, schema),
    ]
  })
}
