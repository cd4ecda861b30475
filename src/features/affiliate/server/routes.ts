import { type Route, route } from '#server/http/route.ts'
import { affiliateEndpoints } from '../contract.ts'
import { getAffiliate } from './get-affiliate.ts'

export const affiliateRoutes: Route[] = [route(affiliateEndpoints.own, getAffiliate)]
