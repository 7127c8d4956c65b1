/** Runs the test of docs/add-a-route.md. */
import '../../docs/examples/add-a-route/redirects.test.ts'
