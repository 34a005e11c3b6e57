// GraphiQL, with the token that was typed in: it is kept for this tab and sent nowhere else.

const KEY = "statestore.token";
const PROTOCOL = "graphql-transport-ws";
const EXAMPLE = `# What is not as it should be, and who looks after it.
query NotOk {
  criticalSignals(limit: 20) {
    datasetUrn
    signalType
    state
    incident { incidentId title status oncallUser }
  }
}

subscription WhatHappens {
  signalChanges { datasetUrn signalType previousState state position }
}
`;

const token = () => sessionStorage.getItem(KEY) || "";
const said = (text) => (document.getElementById("said").textContent = text);

const isSubscription = (document, name) =>
  (document?.definitions || []).some(
    (one) => one.operation === "subscription" && (!name || one.name?.value === name),
  );

async function ask(params) {
  const answer = await fetch("/graphql", {
    method: "POST",
    headers: {
      Accept: "application/graphql-response+json, application/json;q=0.9",
      Authorization: `Bearer ${token()}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(params),
  });
  said(answer.status === 401 ? "The server does not know this token." : "");
  return answer.json();
}

async function* listen(params) {
  const address = `${location.origin.replace(/^http/, "ws")}/graphql`;
  const socket = new WebSocket(address, PROTOCOL);
  const heard = [];
  let wake = () => {};
  const put = (one) => (heard.push(one), wake());
  const say = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () =>
    say({ type: "connection_init", payload: { Authorization: `Bearer ${token()}` } });
  socket.onclose = (event) =>
    put({ last: true, errors: event.code === 1000 ? [] : [{ message: event.reason || "closed" }] });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "connection_ack") say({ id: "1", type: "subscribe", payload: params });
    if (message.type === "ping") say({ type: "pong" });
    if (message.type === "next") put({ answer: message.payload });
    if (message.type === "error") put({ last: true, errors: message.payload });
    if (message.type === "complete") put({ last: true, errors: [] });
  };
  try {
    while (true) {
      while (!heard.length) await new Promise((resolve) => (wake = resolve));
      const { answer, last, errors } = heard.shift();
      if (answer) yield answer;
      if (last && errors.length) yield { errors };
      if (last) return;
    }
  } finally {
    socket.close(1000);
  }
}

const fetcher = (params, { documentAST } = {}) =>
  isSubscription(documentAST, params.operationName) ? listen(params) : ask(params);

const root = ReactDOM.createRoot(document.getElementById("graphiql"));
let shown = 0;
// With another key it is made anew, and asks for the schema again.
const show = () =>
  root.render(
    React.createElement(GraphiQL, {
      key: String((shown += 1)),
      fetcher,
      defaultQuery: EXAMPLE,
      isHeadersEditorEnabled: false,
    }),
  );

document.getElementById("who").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(KEY, document.getElementById("token").value.trim());
  document.getElementById("token").value = "";
  show();
});

if (token()) show();
else said("Type in the token to begin.");
