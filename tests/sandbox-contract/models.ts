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
  paths: Record<string, Record<string, { operationId?: string; responses?: Record<string, Response> }>>
}

const fileOf: Record<string, string> = {
  getMarketplaceParticipations: 'sellers.json',
  getInventorySummaries: 'fbaInventory.json',
  searchListingsItems: 'listingsItems_2021-08-01.json',
  getListingsItem: 'listingsItems_2021-08-01.json',
  searchCatalogItems: 'catalogItems_2022-04-01.json',
  getCatalogItem: 'catalogItems_2022-04-01.json',
  createReport: 'reports_2021-06-30.json',
  getReports: 'reports_2021-06-30.json',
  getReport: 'reports_2021-06-30.json',
  getReportDocument: 'reports_2021-06-30.json',
  getOrderMetrics: 'sales.json',
  getMyFeesEstimateForSKU: 'productFeesV0.json',
  getMyFeesEstimateForASIN: 'productFeesV0.json',
  getMyFeesEstimates: 'productFeesV0.json',
}

/** Operations that the sandbox answers and the models describe. */
export const operations = Object.keys(fileOf)

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
const models = new Map<string, Model>()

const modelOf = (file: string): Model => {
  let model = models.get(file)
  if (!model) {
    model = JSON.parse(readFileSync(join(modelsFolder ?? '', file), 'utf8')) as Model
    ajv.addSchema({ $id: file, definitions: model.definitions })
    models.set(file, model)
  }
  return model
}

/** The check of an operation's answer with a status. Throws when the model knows no such answer. */
export const checkOf = (operationId: string, status: number): ValidateFunction => {
  const file = fileOf[operationId]
  if (!file) throw new Error(`no model describes ${operationId}`)
  const operation = Object.values(modelOf(file).paths)
    .flatMap(methods => Object.values(methods))
    .find(one => one.operationId === operationId)
  const reference = operation?.responses?.[status]?.schema?.$ref
  if (!reference) throw new Error(`${operationId} has no answer ${status} in ${file}`)
  return ajv.getSchema(`${file}${reference}`) ?? ajv.compile({ $ref: `${file}${reference}` })
}

/** The check of a file by a schema that lies beside the models; null when the schemas were not kept there. */
export const checkOfFile = (schema: string): ValidateFunction | null => {
  try {
    return ajv.compile(
      JSON.parse(readFileSync(join(modelsFolder ?? '', '../spapi-schemas/reports', schema), 'utf8')) as object,
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** What an operation's paths look like in the model, for requests made from examples. */
export const routeOf = (operationId: string): { method: string; path: string } => {
  const file = fileOf[operationId]
  for (const [path, methods] of Object.entries(modelOf(file ?? '').paths))
    for (const [method, one] of Object.entries(methods))
      if (one.operationId === operationId) return { method: method.toUpperCase(), path }
  throw new Error(`no path for ${operationId}`)
}
