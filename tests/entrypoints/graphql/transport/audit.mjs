// Runs the audit of GraphQL over HTTP against a server, and prints what it found as JSON.
//   node audit.mjs FOLDER URL TOKEN

const [folder, url, token] = process.argv.slice(2);
const { auditServer } = await import(`${folder}/lib/audits/server.mjs`);

const fetchFn = (address, options = {}) =>
  fetch(address, { ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } });

const results = await auditServer({ url, fetchFn });
console.log(JSON.stringify(results.map(({ id, name, status, reason }) => ({ id, name, status, reason }))));
