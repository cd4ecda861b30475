import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'

/** Folder with the marketplace's published models, or null. */
export const modelsFolder = process.env.SPAPI_MODELS_DIR || null

/** Said in the name of what cannot run without the models. */
export const unlessAbsent = modelsFolder ? '' : ' (NOT RUN: SPAPI_MODELS_DIR names no folder with the published models)'

if (!modelsFolder) console.info(`The published models were not compared with the sandbox's answers${unlessAbsent}.`)

interface Response {
  schema?: { $ref?: string }
}
interface Model {
  definitions: Record<string, unknown>
  paths: Record<
    string,
    Record<string, { operationId?: string; description?: string; responses?: Record<string, Response> }>
  >
}

const files = [
  'sellers.json',
  'fbaInventory.json',
  'listingsItems_2021-08-01.json',
  'catalogItems_2022-04-01.json',
  'reports_2021-06-30.json',
  'feeds_2021-06-30.json',
  'sales.json',
  'orders_2026-01-01.json',
  'productFeesV0.json',
  'productPricing_2022-05-01.json',
  'tokens_2021-03-01.json',
]

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    'date-time': value => !Number.isNaN(Date.parse(value)) && /^\d{4}-\d\d-\d\dT/.test(value),
    date: /^\d{4}-\d\d-\d\d$/,
    int32: true,
    int64: true,
    double: true,
    float: true,
  },
})
interface Described {
  file: string
  method: string
  path: string
  responses: Record<string, Response>
  /** Requests a second and burst, as the description's table has them; null when it has none. */
  plan: { rate: number; burst: number } | null
}

function planIn(description: string): Described['plan'] {
  const [, rate, burst] =
    /\|\s*Rate \(requests per second\)[^\n]*\n[^\n]*\n\|\s*([\d.]+)\s*\|\s*([\d.]+)\s*\|/.exec(description) ?? []
  return rate === undefined ? null : { rate: Number(rate), burst: Number(burst) }
}

function readModels(folder: string): Map<string, Described> {
  const described = new Map<string, Described>()
  for (const file of files) {
    const model = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Model
    ajv.addSchema({ $id: file, definitions: model.definitions })
    for (const [path, methods] of Object.entries(model.paths))
      for (const [method, { operationId, responses = {}, description = '' }] of Object.entries(methods))
        if (operationId)
          described.set(operationId, { file, method: method.toUpperCase(), path, responses, plan: planIn(description) })
  }
  return described
}

const described = modelsFolder ? readModels(modelsFolder) : new Map<string, Described>()

/** What the models say of an operation. Throws when they do not know it. */
export function describedBy(operationId: string): Described {
  const found = described.get(operationId)
  if (!found) throw new Error(`no model describes ${operationId}`)
  return found
}

/** The check of an operation's answer with a status; null when such an answer has no body. Throws on an unknown answer. */
export function checkOf(operationId: string, status: number): ValidateFunction | null {
  const { file, responses } = describedBy(operationId)
  const answer = responses[status]
  if (!answer) throw new Error(`${operationId} has no answer ${status} in ${file}`)
  const reference = answer.schema?.$ref
  return reference ? (ajv.getSchema(`${file}${reference}`) ?? ajv.compile({ $ref: `${file}${reference}` })) : null
}

/** The check of a file by a schema that lies beside the models; null when the schemas were not kept there. */
export function checkOfFile(schema: string): ValidateFunction | null {
  try {
    return ajv.compile(JSON.parse(readFileSync(join(modelsFolder ?? '', '../spapi-schemas', schema), 'utf8')) as object)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Operations of these models that exist in the vendor's own test system only. */
const testSystemOnly = new Set(['createInventoryItem', 'deleteInventoryItem', 'addInventory'])

/** What the models above describe and the sandbox has to answer: all of it. */
export const emulated = [...described.keys()].filter(operationId => !testSystemOnly.has(operationId))
