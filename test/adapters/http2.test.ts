import { holdBehaviours } from './behaviours.ts'
import { fastifyHttp2Host, nodeHttp2Host } from './hosts/http2.ts'

holdBehaviours(nodeHttp2Host)
holdBehaviours(fastifyHttp2Host)
