// Drives a hub as programs written in Go do, with client-go: typed and dynamic clients, informers, apply,
// leader election, discovery; each once with JSON and once with protobuf.
//
//	go run . path/to/kubeconfig
//
// It ends with 1 when anything was not as it should be. Members named member1 must exist.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// stage is one hub, one namespace and what has gone wrong so far.
type stage struct {
	ctx       context.Context
	clients   kubernetes.Interface
	dynamic   dynamic.Interface
	namespace string
	failures  int
}

var plays = []func(*stage){configMaps, deployments, leadership, policies, discovery}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "say which hub: go run . path/to/kubeconfig")
		os.Exit(2)
	}
	failures := 0
	for _, encoding := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		fmt.Println("==", encoding)
		failures += run(os.Args[1], encoding)
	}
	fmt.Println("failures:", failures)
	if failures > 0 {
		os.Exit(1)
	}
}

func run(kubeconfig, encoding string) int {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		panic(err)
	}
	config.QPS, config.Burst = 500, 500
	plain := rest.CopyConfig(config)
	config.ContentType = encoding
	config.AcceptContentTypes = encoding + ",application/json"
	s := &stage{
		ctx:       ctx,
		clients:   kubernetes.NewForConfigOrDie(config),
		dynamic:   dynamic.NewForConfigOrDie(plain),
		namespace: fmt.Sprintf("go-%d", time.Now().UnixNano()),
	}
	namespaces := s.clients.CoreV1().Namespaces()
	_, err = namespaces.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}}, metav1.CreateOptions{})
	s.check("create a namespace", err)
	for _, play := range plays {
		play(s)
	}
	s.check("delete the namespace", namespaces.Delete(ctx, s.namespace, metav1.DeleteOptions{}))
	s.until("the namespace is gone", func() bool {
		_, err := namespaces.Get(ctx, s.namespace, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	return s.failures
}

func (s *stage) check(what string, err error) {
	if err == nil {
		fmt.Println("ok  ", what)
		return
	}
	s.failures++
	fmt.Println("FAIL", what, err)
}

// expect checks that something is so.
func (s *stage) expect(what string, isSo bool, seen any) {
	var err error
	if !isSo {
		err = fmt.Errorf("not so: %v", seen)
	}
	s.check(what, err)
}

// until waits until something is so.
func (s *stage) until(what string, isSo func() bool) {
	s.check(what, wait.PollUntilContextTimeout(s.ctx, 20*time.Millisecond, 15*time.Second, true,
		func(context.Context) (bool, error) { return isSo(), nil }))
}
