import { type Route, route } from '#server/http/route.ts'
import { dataExportEndpoints } from '../contract.ts'
import { exportData } from './export-data.ts'

export const dataExportRoutes: Route[] = [
  route(dataExportEndpoints.download, async ctx => exportData(ctx), { rateLimit: { max: 10, windowSeconds: 60 } }),
]
