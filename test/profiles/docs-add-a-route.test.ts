/** The test of docs/add-a-route.md, as it stands there. */
import '../../docs/examples/add-a-route/redirects.test.ts'
