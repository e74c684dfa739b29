// The official client of Go; foreign.test.ts defines its input and its output.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const status = "lsp-status:///"

type asked struct {
	Command       []string
	URL           string
	Authorization string
	// The revision is empty for the newest.
	Version string
	Hover   call
	Hanging call
}

type call struct {
	Name      string
	Arguments map[string]any
}

func (c call) params() *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: c.Name, Arguments: c.Arguments}
}

type authorized struct{ token string }

func (a authorized) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", a.token)
	return http.DefaultTransport.RoundTrip(request)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	var given asked
	if err := json.Unmarshal([]byte(os.Args[1]), &given); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	updated := make(chan string, 10)
	progress := make(chan float64, 10)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, request *mcp.ResourceUpdatedNotificationRequest) {
			updated <- request.Params.URI
		},
		ProgressNotificationHandler: func(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
			progress <- request.Params.Progress
		},
	})
	session := must(client.Connect(ctx, transport(given), &mcp.ClientSessionOptions{ProtocolVersion: given.Version}))
	tools := must(session.ListTools(ctx, nil))
	if err := session.Subscribe(ctx, &mcp.SubscribeParams{URI: status}); err != nil {
		log.Fatal(err)
	}
	hover := must(session.CallTool(ctx, given.Hover.params()))
	uri := <-updated
	hanging, cancel := context.WithCancel(ctx)
	ended := make(chan error)
	go func() {
		params := given.Hanging.params()
		params.SetProgressToken("hanging")
		_, err := session.CallTool(hanging, params)
		ended <- err
	}()
	first := <-progress
	cancel()
	if err := <-ended; err == nil {
		log.Fatal("a cancelled call was answered")
	}
	contents := must(session.ReadResource(ctx, &mcp.ReadResourceParams{URI: status})).Contents
	names := []string{}
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	answer := map[string]any{
		"version":  session.InitializeResult().ProtocolVersion,
		"tools":    names,
		"updated":  uri,
		"progress": first,
		"hover":    hover.Content[0].(*mcp.TextContent).Text,
		"status":   contents[0].Text,
	}
	if err := session.Close(); err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		log.Fatal(err)
	}
}

func transport(given asked) mcp.Transport {
	if given.URL != "" {
		client := &http.Client{Transport: authorized{given.Authorization}}
		return &mcp.StreamableClientTransport{Endpoint: given.URL, HTTPClient: client}
	}
	command := exec.Command(given.Command[0], given.Command[1:]...)
	command.Stderr = os.Stderr
	return &mcp.CommandTransport{Command: command}
}
