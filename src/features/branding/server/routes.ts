import { type Route, route } from '#server/http/route.ts'
import { brandingEndpoints as endpoints } from '../contract.ts'
import {
  createProfile,
  deleteProfile,
  getDefault,
  getLogo,
  listProfiles,
  setDefault,
  updateProfile,
  uploadLogo,
} from './profiles.ts'

export const brandingRoutes: Route[] = [
  route(endpoints.list, ctx => listProfiles(ctx)),
  route(endpoints.create, (ctx, { body }) => createProfile(ctx, body)),
  route(endpoints.default, ctx => getDefault(ctx)),
  route(endpoints.setDefault, (ctx, { body }) => setDefault(ctx, body.id)),
  route(endpoints.update, (ctx, { params, body }) => updateProfile(ctx, params.id, body)),
  route(endpoints.remove, (ctx, { params }) => deleteProfile(ctx, params.id)),
  // Decoding a picture keeps a core busy.
  route(endpoints.uploadLogo, (ctx, { params, upload }) => uploadLogo(ctx, params.id, upload), {
    rateLimit: { max: 20, windowSeconds: 60 },
  }),
  route(endpoints.logo, (ctx, { params }) => getLogo(ctx, params.profileId, params.file)),
]
