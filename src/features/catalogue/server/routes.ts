import { type Route, route } from '#server/http/route.ts'
import { catalogueEndpoints as endpoints } from '../contract.ts'
import { costImportEndpoints as imports } from '../cost-import-contract.ts'
import { checkEligibility } from './check-eligibility.ts'
import { listCosts } from './costs/change-costs.ts'
import { costTemplate, importCosts, listCostImports } from './costs/import-costs.ts'
import { undoCostImport } from './costs/undo-cost-import.ts'
import { exportInventory, listInventory, removeCogs, setCogs } from './inventory.ts'

export const catalogueRoutes: Route[] = [
  route(endpoints.inventory, (ctx, { query }) => listInventory(ctx, query)),
  route(endpoints.exported, (ctx, { query }) => exportInventory(ctx, query)),
  route(endpoints.setCogs, (ctx, { params, query }) => setCogs(ctx, { ...params, ...query })),
  route(endpoints.removeCogs, (ctx, { params, query }) => removeCogs(ctx, { ...params, ...query })),
  route(endpoints.cogsHistory, (ctx, { params }) => listCosts(ctx, params.productId)),
  route(imports.importCosts, (ctx, { body }) => importCosts(ctx, body)),
  route(imports.costImports, ctx => listCostImports(ctx)),
  route(imports.undoCostImport, (ctx, { params }) => undoCostImport(ctx, params.importId)),
  route(imports.costTemplate, (ctx, { query }) => costTemplate(ctx, query)),
  // The marketplace's own calls are behind this one.
  route(endpoints.checkEligibility, (ctx, { body }) => checkEligibility(ctx, body.asins), {
    rateLimit: { max: 30, windowSeconds: 60 },
  }),
]
